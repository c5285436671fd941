// Blocks and warps: whether the SMs have any.
#include <fmt/format.h>

#include "machines/verdict/rules.hpp"
#include "profile/units.hpp"

namespace warpwright::machines::verdict {
namespace {

using profile::countText;
using profile::percentText;

// A launch has fewer blocks than there are SMs, or so many that the last of them have SMs for themselves.
Limit smallGrid(const Evidence& evidence) {
  const u32 sms = evidence.machine().multiprocessors;
  return {.rule = "small_grid",
          .share = evidence.idleSms(),
          .evidence = fmt::format("SMs have no warp for {} of the time: a launch has {:.4g} blocks for {} SMs",
                                  percentText(evidence.idleSms()), evidence.blocksPerLaunch(), sms),
          .remedy = "give more blocks to a launch (smaller ones, or more data), or run launches side by side in streams"};
}

Limit tail(const Evidence& evidence) {
  const double waves = evidence.blocksPerLaunch() / static_cast<double>(std::max<u64>(1, evidence.places()));
  return {.rule = "tail",
          .share = evidence.idleSms(),
          .evidence = fmt::format("SMs have no warp for {} of the time: {:.4g} blocks come in {:.2f} waves of {}, and some end before "
                                  "others",
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
  const bool few = evidence.blocksPerLaunch() < evidence.machine().multiprocessors;
  limits.push_back(few ? smallGrid(evidence) : tail(evidence));
}

// Beside what idle SMs lose.
void schedulersWithoutWarps(const Evidence& evidence, std::vector<Limit>& limits) {
  const sm::SmStats& sm = evidence.sm();
  const double resident = stats::ratio(sm.residentWarpCycles, sm.activeCycles).value_or(0);
  const bool isSmallGrid = evidence.blocksPerLaunch() < static_cast<double>(evidence.places());
  const std::string_view limiter = evidence.limiter();
  Limit limit{.rule = "few_warps", .share = evidence.emptySchedulers()};
  limit.evidence = fmt::format("schedulers have no warp for {} of the time on SMs that have: {:.1f} of {} warps are resident on average",
                               percentText(limit.share), resident, evidence.machine().warpsPerSm);
  if (isSmallGrid) {
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
