// What timing needs to know of a static instruction, worked out once per kernel.
#pragma once

#include <array>
#include <vector>

#include "config/machine.hpp"
#include "isa/memory_front.hpp"
#include "isa/pipe_work.hpp"
#include "isa/program.hpp"
#include "isa/result_pipe.hpp"
#include "sm/register_set.hpp"

namespace warpwright::sm {

// How an instruction passes through the SM.
enum class Flow : u8 {
  compute,  // operands, a pipe, write-back
  memory,   // the load/store unit
  barrier,  // may make the warp wait for others
  fence,    // waits for the warp's outstanding memory operations
  branch,   // may change what is fetched next: branches, calls, returns, exits
};

// What an instruction has to do with a warp's asynchronous matrix products (matrix_groups.hpp).
enum class ProductRole : u8 { none, product, commit, wait };

inline constexpr std::size_t kUnits = static_cast<std::size_t>(isa::Unit::tensor) + 1;

struct InstructionInfo {
  static constexpr u32 kMostReads = 32;

  Pc pc;
  const isa::Instruction* instruction = nullptr;
  Flow flow = Flow::compute;
  isa::Unit unit = isa::Unit::integer;
  isa::ResultPipe pipe = isa::ResultPipe::other;
  isa::PipeWork work;
  u32 latency = 1;           // cycles from dispatch to the result
  u32 interval = 1;          // cycles that it occupies its pipe's entrance
  u32 issues = 1;            // cycles for which its scheduler issues nothing else
  u32 fenceLatency = 0;      // of a fence: cycles from its issue to the warp's next one, where the machine has it take longer than others
  bool takesBanks = false;   // of shared memory, even if no lane executes it
  bool awaitsStores = true;  // a fence: whether the warp's stores have to be where all threads see them
  ProductRole role = ProductRole::none;
  u32 groupsLeft = 0;   // wait: groups that may be pending behind it
  RegisterSet touched;  // read or written
  RegisterSet written;
  u64 guard = 0;             // the predicate that guards it, as a bit
  isa::ControlBits control;  // not set: a scoreboard keeps the instruction from what it depends on
  isa::MemoryFront front;    // where sub-cores buffer memory instructions
  bool isBypassed = false;   // its result comes in time for whoever stalls for it, whatever the write-back ports are busy with
  bool hasWindow = false;    // it reads its operands in sm.pipeline.operand_window
  u8 readCount = 0, writeCount = 0;
  std::array<u8, kMostReads> reads{}, writes{};  // registers, 32 bits a lane each
  std::array<u8, kMostReads> places{};           // per register read: the first source operand that names it
};

// Where a unit's instructions execute; units that share their pipes have the same.
const config::Pipes& pipesOf(const config::Sm& sm, isa::Unit unit);

// What the compiler has to know of a machine for control bits; operandBanks is left to who knows how many sub-cores there are.
isa::IssueTiming issueTimingOf(const config::Sm& sm);

class KernelInfo {
 public:
  // Of every instruction in the program, which outlives this: calls may lead anywhere in it.
  KernelInfo(const isa::Program& program, const config::Machine& machine);

  const InstructionInfo& at(Pc pc) const { return infos_[pc]; }

 private:
  std::vector<InstructionInfo> infos_;
};

}  // namespace warpwright::sm
