#include "compiler/patterns/granularity.hpp"

#include <algorithm>
#include <bit>

#include "base/lane_interleaving.hpp"

namespace warpwright::compiler {
namespace {

using Skewed = GranularityRules::Skewed;

// The parameters that line 5 takes from the pattern.
struct Row {
  s64 d = 0, e = 0;
  u32 l1 = 0, s1 = 0, h0 = 0;
};

Row rowOf(const LaunchPattern& pattern, Skewed unit) {
  Row row{pattern.y.d, pattern.y.e};
  if (!pattern.isSkewed()) return row;
  if (unit != Skewed::index) {
    row.d *= pattern.alpha;
    row.e *= pattern.alpha;
  }
  // A single section has no higher one that would go on where it ends.
  row.h0 = pattern.sections.front().high;
  if (pattern.sections.size() == 2) {
    row.l1 = pattern.sections[1].low;
    row.s1 = pattern.sections[1].shift;
  }
  const bool hasBytes = pattern.alpha > 0 && std::has_single_bit(static_cast<u64>(pattern.alpha));
  if (unit != Skewed::bytes || !hasBytes) return row;
  const u32 bits = static_cast<u32>(std::countr_zero(static_cast<u64>(pattern.alpha)));
  row.h0 += bits;
  if (pattern.sections.size() == 2) {
    row.l1 += bits;
    row.s1 += bits;
  }
  return row;
}

}  // namespace

u32 granularityOf(const LaunchPattern& pattern, u32 bytes, u32 blockWidth, const GranularityLimits& limits, const GranularityRules& rules) {
  if (!pattern.isKnown()) return limits.least;
  const Row row = rowOf(pattern, rules.skewed);
  const s64 length = row.e * blockWidth;
  if (row.e != bytes || (rules.blocksContinueRows && length != row.d)) return limits.least;
  if (pattern.isSkewed()) {
    const bool isNormal = pattern.sections.front().low == 0;
    const bool isLong = row.h0 >= 63 || u64{1} << row.h0 > limits.most;
    if (!isNormal || row.l1 <= row.h0 || row.s1 <= row.h0 || !isLong) return limits.least;
  }
  if (length > limits.most) return limits.most;
  if (length < limits.least) return limits.least;
  const u32 all = static_cast<u32>(length);
  return rules.roundsDown ? std::max(limits.least, std::bit_floor(all)) : all;
}

u32 privateGranularityOf(const LaunchPattern& pattern, Dim3 block, u32 warpSize, const GranularityLimits& limits) {
  IndexSum same = pattern.y;
  same.f = 0;
  if (!pattern.isKnown() || pattern.isSkewed() || same != IndexSum{}) return limits.least;
  const u64 lanes = std::bit_floor(std::min<u64>(warpSize, block.count()));
  return static_cast<u32>(std::clamp<u64>(vectorBytes(static_cast<u32>(lanes)), limits.least, limits.most));
}

u32 granularityOf(const AccessPattern& code, const LaunchPattern& pattern, Dim3 block, u32 warpSize, const GranularityLimits& limits,
                  const GranularityRules& rules) {
  if (code.space == isa::Space::local && !rules.privateToo) return limits.least;
  if (code.space == isa::Space::local) return privateGranularityOf(pattern, block, warpSize, limits);
  return granularityOf(pattern, code.bytes, block.x, limits, rules);
}

}  // namespace warpwright::compiler
