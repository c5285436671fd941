// What assist warps count, on each SM.
#pragma once

#include "stats/conservation.hpp"
#include "stats/formula.hpp"
#include "stats/histogram.hpp"
#include "stats/statistics.hpp"
#include "stats/tally.hpp"

namespace warpwright::mechanisms::assist_warps {

struct Statistics {
  u64 watched = 0, triggered = 0, refusedLive = 0, refusedFull = 0;
  u64 deployedHigh = 0, deployedNormal = 0, deployedLow = 0, waited = 0, throttled = 0;
  u64 ended = 0, abandoned = 0, killed = 0, dropped = 0;
  u64 staged = 0, flushed = 0, unstaged = 0;
  u64 instructions = 0, wordsIn = 0, wordsOut = 0, counted = 0, resumed = 0, mapped = 0;
  stats::Peak mostLive, storeUsed;

  u64 deployed() const { return deployedHigh + deployedNormal + deployedLow; }
  u64 inserted() const { return triggered - refusedLive - refusedFull; }

  static constexpr void fields(auto&& field) {
    using S = Statistics;
    field("watched", "instructions", "of warps, that the controller has seen issue", &S::watched);
    field("triggered", "assist warps", "that a trigger of their routine asked for", &S::triggered);
    field("refused_live", "assist warps", "of them, whose warp had one of the routine already", &S::refusedLive);
    field("refused_full", "assist warps", "of them, for which the table had no entry", &S::refusedFull);
    field("deployed_high", "assist warps", "that began, with high priority", &S::deployedHigh);
    field("deployed_normal", "assist warps", "that began, with normal priority", &S::deployedNormal);
    field("deployed_low", "assist warps", "that began, with low priority", &S::deployedLow);
    field("waited", "cycles", "between triggers and deployments, beyond the one that it takes", &S::waited);
    field("throttled", "assist warps", "that found schedulers or units busy, and waited for another window", &S::throttled);
    field("ended", "assist warps", "that came to the end of their routine", &S::ended);
    field("abandoned", "assist warps", "of them, before its end: at what would have been a fault", &S::abandoned);
    field("killed", "assist warps",
          "that were deployed with low priority, and of no more use: their warp had ended, or who asked waited no longer", &S::killed);
    field("dropped", "assist warps", "that had not been deployed when their warp ended, or who asked waited no longer", &S::dropped);
    field("staged", "instructions", "of assist warps, that entered the instruction buffer from the store", &S::staged);
    field("flushed", "instructions", "of them, that left it without being issued: behind a jump, or when their assist warp ended",
          &S::flushed);
    field("unstaged", "cycles", "in which deployed assist warps had nothing staged, from an issue to the next instruction's staging",
          &S::unstaged);
    field("instructions", "instructions", "of assist warps, issued", &S::instructions);
    field("words_in", "registers of a warp", "moved to assist warps as live-ins", &S::wordsIn);
    field("words_out", "registers of a warp", "moved back as live-outs", &S::wordsOut);
    field("counted", "", "sum of the live-outs `count`, over lanes and assist warps", &S::counted);
    field("resumed", "faults", "after which the warp has gone on, as a routine's live-out `resume` said", &S::resumed);
    field("mapped", "faults", "of them, for which the host has mapped a page", &S::mapped);
    field("most_live", "assist warps", "deployed at once on an SM", &S::mostLive);
    field("store_used", "bytes", "of the assist warp store, that the routines of a program take", &S::storeUsed);
  }
  static constexpr void figures(auto&& figure) {
    using S = Statistics;
    figure("instructions_each", "instructions", "of an assist warp", [](const S& s) { return stats::ratio(s.instructions, s.deployed()); });
    figure("deployed_share", "share of triggers", "after which an assist warp was deployed",
           [](const S& s) { return stats::ratio(s.deployed(), s.triggered); });
  }
  bool operator==(const Statistics&) const = default;
};

// Of one routine.
struct RoutineStatistics {
  using Latency = stats::Histogram<stats::PowersOfTwo, 18>;
  u64 triggered = 0, deployed = 0, instructions = 0, counted = 0;
  stats::Tally reported;
  Latency toFirst, toEnd;

  static constexpr void fields(auto&& field) {
    using S = RoutineStatistics;
    field("triggered", "assist warps", "that a trigger asked for", &S::triggered);
    field("deployed", "assist warps", "that began", &S::deployed);
    field("instructions", "instructions", "of its assist warps", &S::instructions);
    field("counted", "", "sum of its live-out `count`, over lanes and assist warps", &S::counted);
    field("reported", "", "words of its buffers, or its tables, summed over blocks (`report`)", &S::reported);
    field("to_first", "cycles", "from the trigger to the issue of the first instruction", &S::toFirst);
    field("to_end", "cycles", "from the trigger to the end", &S::toEnd);
  }
  bool operator==(const RoutineStatistics&) const = default;
};

// Laws that hold when no warp is resident.
void check(const Statistics& statistics, stats::Conservation& laws);

}  // namespace warpwright::mechanisms::assist_warps
