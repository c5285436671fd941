// Live ranges as sorted lists of half-open segments on a time line: instruction i reads at 2i and writes at 2i + 1.
#pragma once

#include <vector>

#include "compiler/liveness.hpp"

namespace warpwright::compiler {

struct Segment {
  u32 begin = 0, end = 0;
  bool operator==(const Segment&) const = default;
};
using LiveRange = std::vector<Segment>;

// Per unit. A value that is never read occupies its register at the moment it is written.
std::vector<LiveRange> buildLiveRanges(const MachineFunction& function, const ControlFlow& flow, const Liveness& liveness);

bool overlap(const LiveRange& a, const LiveRange& b);
LiveRange unite(const LiveRange& a, const LiveRange& b);

}  // namespace warpwright::compiler
