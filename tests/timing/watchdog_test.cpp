// What counts as a machine that is stuck.
#include <gtest/gtest.h>

#include "timed_machine.hpp"

namespace warpwright {
namespace {

using isa::DataType;
using isa::Opcode;
using testing::Assembler;
using testing::imm;
using testing::param;
using testing::R;
using testing::TimedMachine;

// Every thread adds 1 to the word of the parameter.
isa::Program allOnOneWord() {
  Assembler code;
  code.program.addressBits = 64;
  code.emit(Opcode::mov, DataType::u64, {R(2)}, {param(0)});
  code.emit(Opcode::mov, DataType::u32, {R(6)}, {imm(1)});
  isa::Instruction& atomic = code.emit(Opcode::atom, DataType::u32, {R(4)}, {R(2), R(6)});
  atomic.modifiers.space = isa::Space::global;
  atomic.modifiers.atomic = isa::AtomicOp::add;
  code.exit();
  code.function("k").registers = 16;
  return code.program;
}

TEST(Watchdog, AtomicsThatWaitForEachOtherAreNotStuck) {
  machines::TimingOptions options;
  options.deadlockCycles = 1000;
  TimedMachine machine(testing::fermi(), options);
  u32* const word = machine.array<u32>(1);
  const machines::TimedResult result = machine.run(allOnOneWord(), {1}, {1024}, {reinterpret_cast<u64>(word)});
  EXPECT_EQ(result.functional.status, exec::LaunchStatus::completed) << result.functional.message;
  EXPECT_EQ(*word, 1024u);
  EXPECT_GT(result.cycles, 1000u + 400u) << "longer than the watchdog waits, and than the way to memory";
}

// Every thread stores to a line of its own, and exits.
isa::Program storeToALineEach() {
  Assembler code;
  code.program.addressBits = 64;
  code.special(6, isa::SpecialRegister::tid_x);
  code.elementAddress(4, 0, R(6), 128);
  code.store(isa::Space::global, DataType::u32, R(4), R(6));
  code.exit();
  code.function("k").registers = 16;
  return code.program;
}

// Longer than it takes to find warps that go in a circle: here is no warp left that could.
TEST(Watchdog, StoresOfThreadsThatHaveExitedMayTakeLong) {
  config::Machine slow = testing::fermi();
  slow.network.clockKhz = 1'000;
  TimedMachine machine(slow);
  u32* const lines = machine.array<u32>(32 * 32);
  const machines::TimedResult result = machine.run(storeToALineEach(), {1}, {32}, {reinterpret_cast<u64>(lines)});
  EXPECT_EQ(result.functional.status, exec::LaunchStatus::completed) << result.functional.message;
  EXPECT_EQ(lines[32 * 31], 31u);
  EXPECT_GT(result.cycles, 20'000u) << "longer than the search for circles waits twice";
}

}  // namespace
}  // namespace warpwright
