// Blocks and warps: whether the SMs have any.
#include <fmt/format.h>

#include <algorithm>

#include "machines/verdict/rules.hpp"
#include "profile/units.hpp"

namespace warpwright::machines::verdict {
namespace {

using profile::countText;
using profile::percentText;

Limit smallGrid(const Evidence& evidence) {
  const u32 sms = evidence.machine().multiprocessors;
  return {.rule = "small_grid",
          .share = evidence.idleSms(),
          .evidence = fmt::format("SMs have no warp for {} of the time: a launch has {:.4g} blocks for {} SMs",
                                  percentText(evidence.idleSms()), evidence.blocksPerLaunch(), sms),
          .remedy = "give more blocks to a launch (smaller ones, or more data), or run launches side by side in streams"};
}

bool isSmallGrid(const Evidence& evidence) { return evidence.blocksPerLaunch() < evidence.machine().multiprocessors; }

// All blocks are there at once: what counts is how many each SM has.
Limit tailOfOneWave(const Evidence& evidence) {
  const u32 sms = evidence.machine().multiprocessors;
  return {.rule = "tail",
          .share = evidence.idleSms(),
          .evidence = fmt::format("SMs have no warp any more for {} of the time: {:.4g} blocks are {:.2f} for each of {} SMs, and some end "
                                  "before others",
                                  percentText(evidence.idleSms()), evidence.blocksPerLaunch(), evidence.blocksPerLaunch() / sms, sms),
          .remedy = fmt::format("blocks that take the same time, as many on each SM (a multiple of {}), or more, smaller ones", sms)};
}

Limit tail(const Evidence& evidence) {
  const double waves = evidence.blocksPerLaunch() / static_cast<double>(std::max<u64>(1, evidence.places()));
  if (waves <= 1) return tailOfOneWave(evidence);
  return {.rule = "tail",
          .share = evidence.idleSms(),
          .evidence = fmt::format("SMs have no warp any more for {} of the time: {:.4g} blocks come in {:.2f} waves of {}, and some end "
                                  "before others",
                                  percentText(evidence.idleSms()), evidence.blocksPerLaunch(), waves, countText(evidence.places())),
          .remedy = "smaller blocks, blocks that take the same time, or a number of blocks that fills whole waves"};
}

std::string_view remedyFor(std::string_view limiter) {
  if (limiter == "registers") return "fewer registers a thread (--max-registers shows what spilling would cost), or smaller blocks";
  if (limiter == "shared memory") return "less shared memory a block, or more threads that share it";
  if (limiter == "blocks") return "larger blocks";
  return "more independent work in each thread: an SM holds no more warps";
}

}  // namespace

void launches(const Evidence& evidence, std::vector<Limit>& limits) {
  const u64 before = evidence.counters().launches * evidence.machine().sm.launchLatency;
  limits.push_back({.rule = "launch",
                    .share = evidence.launching(),
                    .evidence = fmt::format("{} of {} cycles pass before the first block of a launch begins", countText(before),
                                            countText(evidence.counters().gpu.cycles)),
                    .remedy = "fewer launches that do more, or launches side by side in streams",
                    .whatIfs = {"free-launches"}});
}

void smsWithoutWork(const Evidence& evidence, std::vector<Limit>& limits) {
  limits.push_back(isSmallGrid(evidence) ? smallGrid(evidence) : tail(evidence));
}

void schedulersWithoutWarps(const Evidence& evidence, std::vector<Limit>& limits) {
  const double resident = stats::ratio(evidence.sm().residentWarpCycles, evidence.sm().activeCycles).value_or(0);
  const std::string_view limiter = evidence.limiter();
  Limit limit{.rule = "few_warps", .share = evidence.fewWarps()};
  limit.evidence = fmt::format("schedulers have no warp for {} of the time on SMs that have: {:.1f} of {} warps are resident on average",
                               percentText(limit.share), resident, evidence.machine().warpsPerSm);
  if (evidence.blocksPerLaunch() < static_cast<double>(evidence.places())) {
    limit.evidence += fmt::format(", as a launch has {:.4g} blocks, and there would be room for {}", evidence.blocksPerLaunch(),
                                  countText(evidence.places()));
    limit.remedy = "more threads a launch: more blocks, or larger ones";
  } else {
    limit.evidence += fmt::format(", as {} let an SM hold {} blocks", limiter, evidence.residentBlocks());
    limit.remedy = remedyFor(limiter);
    if (limiter != "warps") limit.whatIfs = {"more-warps"};
  }
  limits.push_back(std::move(limit));
}

}  // namespace warpwright::machines::verdict
