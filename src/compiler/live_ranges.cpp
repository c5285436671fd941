#include "compiler/live_ranges.hpp"

#include <algorithm>

namespace warpwright::compiler {
namespace {

// Builds the ranges from the code's end to its beginning.
class RangeBuilder {
 public:
  explicit RangeBuilder(u32 units) : ranges_(units), openEnd_(units), touched_(units) {}

  // The unit is touched at the point before `end`.
  void open(u32 unit, u32 end) {
    touched_[unit] = end - 1;
    if (openEnd_[unit] != 0) return;
    openEnd_[unit] = end;
    opened_.push_back(unit);
  }
  void close(u32 unit, u32 begin) {
    if (openEnd_[unit] == 0) return;
    LiveRange& range = ranges_[unit];
    if (!range.empty() && range.back().begin == openEnd_[unit])
      range.back().begin = begin;
    else
      range.push_back({begin, openEnd_[unit]});
    openEnd_[unit] = 0;
  }
  // What has no value at the block's beginning needs its register from where it is first touched.
  void closeAll(u32 begin, const NumberSet& live) {
    for (const u32 unit : opened_) close(unit, live.test(unit) ? begin : touched_[unit]);
    opened_.clear();
  }
  std::vector<LiveRange> finish() {
    for (LiveRange& range : ranges_) std::reverse(range.begin(), range.end());
    return std::move(ranges_);
  }

 private:
  std::vector<LiveRange> ranges_;
  std::vector<u32> openEnd_;  // 0: not open
  std::vector<u32> touched_;  // the first point, of those seen
  std::vector<u32> opened_;
};

}  // namespace

std::vector<LiveRange> buildLiveRanges(const MachineFunction& function, const ControlFlow& flow, const Liveness& liveness) {
  RangeBuilder builder(function.units());
  for (u32 b = static_cast<u32>(flow.blocks.size()); b-- > 0;) {
    const BasicBlock& block = flow.blocks[b];
    liveness.liveOut(b).forEach([&](u32 unit) { builder.open(unit, 2 * block.end); });
    for (u32 i = block.end; i-- > block.begin;) {
      forEachDestinationUnit(function, function.code[i], [&](u32 unit) {
        builder.open(unit, 2 * i + 2);
        if (liveness.overwrites(i)) builder.close(unit, 2 * i + 1);
      });
      forEachSourceUnit(function, function.code[i], [&](u32 unit) { builder.open(unit, 2 * i + 1); });
    }
    builder.closeAll(2 * block.begin, liveness.liveIn(b));
  }
  return builder.finish();
}

bool overlap(const LiveRange& a, const LiveRange& b) {
  auto i = a.begin(), j = b.begin();
  while (i != a.end() && j != b.end()) {
    if (i->begin < j->end && j->begin < i->end) return true;
    if (i->end <= j->end)
      ++i;
    else
      ++j;
  }
  return false;
}

LiveRange unite(const LiveRange& a, const LiveRange& b) {
  LiveRange all;
  all.reserve(a.size() + b.size());
  std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(all),
             [](const Segment& x, const Segment& y) { return x.begin < y.begin; });
  LiveRange result;
  for (const Segment& segment : all) {
    if (!result.empty() && segment.begin <= result.back().end)
      result.back().end = std::max(result.back().end, segment.end);
    else
      result.push_back(segment);
  }
  return result;
}

}  // namespace warpwright::compiler
