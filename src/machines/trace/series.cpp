#include "machines/trace/tracer.hpp"
#include "stats/json.hpp"

namespace warpwright::machines::trace {
namespace {

// Histograms list only the bins in use: a row keeps their count and sum, so that all rows have the same columns.
void dropBins(stats::Json& object) {
  if (!object.is_object()) return;
  object.erase("bins");
  for (auto& [name, member] : object.items()) dropBins(member);
}

stats::Json rowOf(const Sample& sample) {
  const u64 cycles = sample.until - sample.from;
  const double perCycle = 1.0 / static_cast<double>(cycles);
  stats::Json row = {{"from", sample.from.ticks},
                     {"until", sample.until.ticks},
                     {"warp_ipc", static_cast<double>(sample.stats.sm.warpInstructions) * perCycle},
                     {"thread_ipc", static_cast<double>(sample.stats.sm.threadInstructions) * perCycle}};
  row.update(stats::toJson(sample.stats));
  row["cycles"] = cycles;
  dropBins(row);
  return row;
}

}  // namespace

std::string series(const Recording& recording) {
  Sample nothing{{}, Cycle{1}, {}};
  if (!recording.samples.empty()) nothing.stats.mechanisms = recording.samples.front().stats.mechanisms;
  std::string text = stats::csvHeader(rowOf(nothing));
  for (const Sample& sample : recording.samples) text += stats::csvRow(rowOf(sample));
  return text;
}

}  // namespace warpwright::machines::trace
