// A program, its launch and its events made by hand.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "profile/collector.hpp"
#include "profile/kernel_profile.hpp"

namespace warpwright::profile::testing {

using Addresses = std::array<u64, kMaxWarpSize>;

inline Addresses strided(u64 first, s64 stride) {
  Addresses addresses{};
  for (u32 lane = 0; lane < kMaxWarpSize; ++lane) addresses[lane] = first + static_cast<u64>(stride * s64{lane});
  return addresses;
}

inline isa::Instruction access(isa::Opcode opcode, isa::Space space, u32 line) {
  isa::Instruction instruction;
  instruction.opcode = opcode;
  instruction.type = isa::DataType::f32;
  instruction.modifiers.space = space;
  instruction.sourceFile = line == 0 ? 0 : 1;
  instruction.sourceLine = line;
  instruction.sources[0] = isa::Operand::makeRegister(2);
  if (opcode == isa::Opcode::ld) instruction.destinations[0] = isa::Operand::makeRegister(4);
  if (opcode != isa::Opcode::ld) instruction.sources[1] = isa::Operand::makeRegister(4);
  return instruction;
}

inline isa::Instruction operation(isa::Opcode opcode, isa::DataType type, u32 line) {
  isa::Instruction instruction;
  instruction.opcode = opcode;
  instruction.type = type;
  instruction.sourceFile = line == 0 ? 0 : 1;
  instruction.sourceLine = line;
  return instruction;
}

// A kernel of one basic block.
struct HandMadeKernel {
  exec::LoadedProgram loaded;
  std::shared_ptr<exec::Launch> launch = std::make_shared<exec::Launch>();
  exec::LaunchRequest request{launch};
  exec::LaunchResult result;

  explicit HandMadeKernel(std::vector<isa::Instruction> code, std::string name = "kernel", std::string file = "kernel.cu") {
    isa::Program& program = loaded.program;
    program.sourceName = "kernel.ptx";
    program.code = std::move(code);
    program.files[1] = std::move(file);
    isa::Function function;
    function.name = std::move(name);
    function.isKernel = true;
    function.end = Pc(static_cast<u32>(program.code.size()));
    function.registers = 12;
    program.functions.push_back(function);
    result.counts.resize(program.code.size());
    launch->program = &loaded;
    launch->kernel = &program.functions[0];
    launch->block = {32, 1, 1};
    result.blocksDone = 1;
  }
  HandMadeKernel(const HandMadeKernel&) = delete;
  HandMadeKernel& operator=(const HandMadeKernel&) = delete;

  // One warp executes the instruction with these lanes.
  void issue(u32 pc, LaneMask lanes = LaneMask::first(32)) {
    const u64 count = u64{lanes.size()};
    result.counts[pc].warps += 1;
    result.counts[pc].lanes += count;
    result.counts[pc].active += count;
    result.warpInstructions += 1;
    result.threadInstructions += count;
  }

  // … and accesses memory.
  void access(exec::Observer& observer, u32 pc, const Addresses& addresses, u32 bytes = 4, LaneMask lanes = LaneMask::first(32)) {
    issue(pc, lanes);
    raise(observer, pc, addresses, bytes, lanes);
  }

  void raise(exec::Observer& observer, u32 pc, const Addresses& addresses, u32 bytes, LaneMask lanes) const {
    const isa::Instruction& instruction = loaded.program.code[pc];
    exec::MemoryEvent event;
    event.pc = Pc(pc);
    event.instruction = &instruction;
    event.space = instruction.modifiers.space;
    event.isAtomic = instruction.opcode == isa::Opcode::atom;
    event.isLoad = instruction.opcode == isa::Opcode::ld;
    event.isStore = !event.isLoad;
    event.mask = lanes;
    event.bytesPerLane = bytes;
    event.addresses = addresses.data();
    observer.memory(event);
  }

  void branch(exec::Observer& observer, u32 pc, LaneMask active, LaneMask taken) {
    issue(pc, active);
    observer.branch({{}, Pc(pc), &loaded.program.code[pc], active, taken, taken && taken != active ? 2u : 1u});
  }
};

}  // namespace warpwright::profile::testing
