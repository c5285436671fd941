#include "compiler/reuse_delay.hpp"

#include <algorithm>

namespace warpwright::compiler {
namespace {

// Instructions that are issued while one of fixed latency passes through the pipeline, and while one that leaves it (memory, special
// functions) reads its operands. Fitted to ptxas (docs/registers.md).
constexpr u32 kPipelined = 5;
constexpr u32 kDetached = 20;

u32 delayOf(const MachineInstruction& instruction) {
  const isa::Family family = isa::info(instruction.opcode).family;
  const isa::Unit unit = isa::unitOf(instruction);
  const bool detached = family == isa::Family::memory || family == isa::Family::texture || unit == isa::Unit::sfu;
  return detached ? kDetached : kPipelined;
}

}  // namespace

std::vector<u32> reuseDelays(const MachineFunction& function, const ControlFlow& flow) {
  std::vector<u32> until(2 * function.code.size() + 3);
  for (u32 point = 0; point < until.size(); ++point) {
    until[point] = point;
    const u32 position = (point == 0 ? 0 : point - 1) / 2;
    if (position >= function.code.size()) continue;
    const u32 end = 2 * flow.blocks[flow.blockAt(position)].end;
    until[point] = std::max(point, std::min(end, point + 2 * delayOf(function.code[position])));
  }
  return until;
}

}  // namespace warpwright::compiler
