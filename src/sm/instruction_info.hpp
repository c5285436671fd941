// What timing needs to know of a static instruction, worked out once per kernel.
#pragma once

#include <array>
#include <vector>

#include "config/machine.hpp"
#include "isa/pipe_work.hpp"
#include "isa/program.hpp"
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
  Flow flow = Flow::compute;
  isa::Unit unit = isa::Unit::integer;
  isa::PipeWork work;
  u32 latency = 1;   // cycles from dispatch to the result
  u32 interval = 1;  // cycles that it occupies its pipe's entrance
  ProductRole role = ProductRole::none;
  u32 groupsLeft = 0;   // wait: groups that may be pending behind it
  RegisterSet touched;  // read or written
  RegisterSet written;
  u8 readCount = 0, writeCount = 0;
  std::array<u8, kMostReads> reads{}, writes{};  // registers, 32 bits a lane each
};

// Where a unit's instructions execute; units that share their pipes have the same.
const config::Pipes& pipesOf(const config::Sm& sm, isa::Unit unit);

class KernelInfo {
 public:
  // Of every instruction in the program: calls may lead anywhere in it.
  KernelInfo(const isa::Program& program, const config::Machine& machine);

  const InstructionInfo& at(Pc pc) const { return infos_[pc]; }

 private:
  std::vector<InstructionInfo> infos_;
};

}  // namespace warpwright::sm
