#include "compiler/reuse_delay.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "compiler/schedule/dependences.hpp"
#include "isa/memory_front.hpp"

namespace warpwright::compiler {
namespace {

using isa::Family;

// Cycles from the issue of an instruction until one may issue that writes what it reads: the latencies of writes after reads that Huerta,
// Shoushtary, Cruz and Gonzalez measured ("Dissecting and Modeling the Architecture of Modern GPU Cores", 2025, table 2, regular
// registers). Instructions of fixed latency read in order, at once (section 5.3). What they did not measure and leaves the pipeline as well
// (special functions, textures) is taken for a load that only hands over its operands, that from shared memory.
u32 delayOf(const MachineInstruction& instruction) {
  const Family family = isa::info(instruction.opcode).family;
  if (isa::unitOf(instruction) == isa::Unit::sfu) return 9;
  return family == Family::memory || family == Family::texture ? isa::memoryFront(instruction, true).reads : 0;
}

// When the instructions of a block issue, in order, one a cycle, each when what it reads is there. In cycles from the block's beginning.
std::vector<u32> issueTimes(const MachineFunction& function, const BasicBlock& block) {
  std::vector<u32> times;
  std::unordered_map<u32, u32> ready;  // per unit
  u32 next = 0;
  for (u32 i = block.begin; i < block.end; ++i) {
    const MachineInstruction& instruction = function.code[i];
    u32 time = next;
    forEachSourceUnit(function, instruction, [&](u32 unit) {
      if (const auto found = ready.find(unit); found != ready.end()) time = std::max(time, found->second);
    });
    forEachDestinationUnit(function, instruction, [&](u32 unit) { ready[unit] = time + expectedLatency(instruction); });
    times.push_back(time);
    next = time + 1;
  }
  return times;
}

}  // namespace

std::vector<u32> reuseDelays(const MachineFunction& function, const ControlFlow& flow) {
  std::vector<u32> until(2 * function.code.size() + 3);
  std::iota(until.begin(), until.end(), 0);
  for (const BasicBlock& block : flow.blocks) {
    const std::vector<u32> times = issueTimes(function, block);
    for (u32 i = block.begin; i < block.end; ++i) {
      const u32 free = times[i - block.begin] + delayOf(function.code[i]);
      const u32 first = block.begin + static_cast<u32>(std::lower_bound(times.begin(), times.end(), free) - times.begin());
      // Values that instruction i reads, or writes for nobody, end behind it.
      for (const u32 point : {2 * i + 1, 2 * i + 2}) until[point] = std::max(point, 2 * first);
    }
  }
  return until;
}

}  // namespace warpwright::compiler
