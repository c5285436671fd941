#include "machines/estimated_cycles.hpp"

#include <cmath>

#include "profile/units.hpp"
#include "stats/json.hpp"

namespace warpwright::machines {

using profile::countText;
using stats::Json;

std::string estimateText(const stats::Estimate& cycles) {
  std::string value = countText(static_cast<u64>(std::llround(cycles.value)));
  if (cycles.isExact()) return value;
  const double error = cycles.relativeError();
  return std::isinf(error) ? value + " (no interval: too little was timed)" : fmt::format("{} ± {:.2f} %", value, 100 * error);
}

Json estimateJson(const stats::Estimate& cycles) {
  const stats::Interval interval = cycles.interval();
  const bool isKnown = std::isfinite(interval.high);
  return {{"cycles", cycles.value},
          {"extrapolated", cycles.isExact() ? 0 : 1},
          {"low", isKnown ? Json(interval.low) : Json(nullptr)},
          {"high", isKnown ? Json(interval.high) : Json(nullptr)}};
}

void appendSampled(profile::TextPage& page, const sampling::Sampled& sampled) {
  const auto share = stats::ratio(sampled.timedWarpInstructions, sampled.warpInstructions);
  page.row("  sampled: {} of {} launches timed, in {} groups; {} of the warp instructions", countText(sampled.timed),
           countText(sampled.launches), countText(sampled.groups), profile::percentText(share));
  const std::pair<u64, const char*> reasons[] = {{sampled.unlike, "as they are like too few others"},
                                                 {sampled.besideOthers, "beside launches of other streams"},
                                                 {sampled.notReplayable, "as they cannot be run again: malloc, free or surfaces"}};
  for (const auto& [launches, why] : reasons)
    if (launches != 0) page.row("  {} timed in full {}", countText(launches), why);
  if (sampled.leftToOthers != 0)
    page.row("  {} left to other parts: what they take is known when those are through", countText(sampled.leftToOthers));
  if (sampled.otherwise != 0) {
    page.row("  {} executed other numbers of instructions when they were timed: what this program", countText(sampled.otherwise));
    page.row("  does depends on the order in which threads run, and the interval does not count that");
  }
}

Json sampledJson(const sampling::Sampled& sampled) {
  Json result = estimateJson(sampled.cycles);
  result.update({{"launches", sampled.launches},
                 {"timed_launches", sampled.timed},
                 {"groups", sampled.groups},
                 {"warp_instructions", sampled.warpInstructions},
                 {"timed_warp_instructions", sampled.timedWarpInstructions},
                 {"unlike_others", sampled.unlike},
                 {"beside_others", sampled.besideOthers},
                 {"not_replayable", sampled.notReplayable},
                 {"left_to_others", sampled.leftToOthers},
                 {"executed_otherwise", sampled.otherwise}});
  return result;
}

}  // namespace warpwright::machines
