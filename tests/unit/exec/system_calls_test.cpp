// printf, malloc, free and assert of device code, with arguments in the frame as the compiler lays them out.
#include <gtest/gtest.h>

#include <numeric>

#include "isa/address_space.hpp"
#include "unit/exec/assembler.hpp"

namespace warpwright::testing {
namespace {

using exec::LaunchStatus;
using isa::Space;
using isa::SpecialRegister;
using isa::SystemCall;

isa::Instruction& call(Assembler& a, SystemCall which) {
  isa::Instruction& i = a.emit(Opcode::syscall, DataType::u32);
  i.target = static_cast<u32>(which);
  return i;
}

u64 text(Runner& runner, const char* contents) {
  char* place = runner.array<char>(std::strlen(contents) + 1);
  std::strcpy(place, contents);
  return reinterpret_cast<u64>(place);
}

TEST(SystemCalls, PrintfTakesItsArgumentsFromLocalMemory) {
  Assembler a;
  a.special(0, SpecialRegister::tid_x);
  a.emit(Opcode::mov, DataType::u32, {R(1)}, {imm(256)});
  a.store(Space::local, DataType::u32, imm(64), R(0));  // the argument buffer: tid, pad, 2.5
  a.store(Space::local, DataType::f64, imm(64), imm(0x4004'0000'0000'0000), 8);
  a.store(Space::local, DataType::u64, R(1), param(0));
  a.store(Space::local, DataType::u64, R(1), imm(isa::kLocalWindow + 64), 8);
  call(a, SystemCall::vprintf);
  a.load(Space::local, DataType::u32, 4, R(1), 16);
  a.elementAddress(6, 8, R(0));
  a.store(Space::global, DataType::u32, R(6), R(4));
  a.exit();
  a.function("prints").parameterBytes = 16;
  Runner runner;
  u32* counts = runner.array<u32>(3);
  runner.pass(text(runner, "thread %d: %g\n")), runner.pass(counts);
  const auto result = runner.run(a.program, {1}, {3});
  ASSERT_EQ(result.status, LaunchStatus::completed) << result.message;
  EXPECT_EQ(runner.printer.text, "thread 0: 2.5\nthread 1: 2.5\nthread 2: 2.5\n");
  EXPECT_EQ(counts[2], 2u);
}

// p = malloc(8); *p = tid; out[tid] = *p; free(p) — freed twice where asked for.
isa::Program allocates(bool freeTwice) {
  Assembler a;
  a.special(0, SpecialRegister::tid_x);
  a.store(Space::local, DataType::u64, R(1), imm(8));
  call(a, SystemCall::malloc);
  a.load(Space::local, DataType::u64, 2, R(1), 8);
  a.store(Space::global, DataType::u32, R(2), R(0));
  a.load(Space::global, DataType::u32, 4, R(2));
  a.elementAddress(6, 0, R(0));
  a.store(Space::global, DataType::u32, R(6), R(4));
  a.store(Space::local, DataType::u64, R(1), R(2));
  call(a, SystemCall::free);
  if (freeTwice) call(a, SystemCall::free);
  a.exit();
  a.function("allocates").parameterBytes = 8;
  return a.program;
}

TEST(SystemCalls, MallocAndFree) {
  Runner runner;
  u32* out = runner.array<u32>(64);
  runner.pass(out);
  const u64 used = runner.memory.used();
  const auto result = runner.run(allocates(false), {1}, {64});
  ASSERT_EQ(result.status, LaunchStatus::completed) << result.message;
  for (u32 i = 0; i < 64; ++i) EXPECT_EQ(out[i], i);
  EXPECT_EQ(runner.memory.used(), used);
}

TEST(SystemCalls, FreeingTwiceIsReported) {
  Runner runner;
  runner.pass(runner.array<u32>(64));
  const auto result = runner.run(allocates(true), {1}, {64});
  EXPECT_EQ(result.status, LaunchStatus::illegalAddress);
  EXPECT_NE(result.message.find("freed already"), std::string::npos) << result.message;
}

TEST(SystemCalls, AFailedAssertionNamesItsPlaceAndThreads) {
  Assembler a;
  a.special(0, SpecialRegister::tid_x);
  a.compare(0, isa::Compare::ge, DataType::u32, R(0), imm(2));
  const u32 fine = a.branch(P(0));
  a.store(Space::local, DataType::u64, R(1), param(0));
  a.store(Space::local, DataType::u64, R(1), param(8), 8);
  a.store(Space::local, DataType::u32, R(1), imm(77), 16);
  a.store(Space::local, DataType::u64, R(1), param(16), 24);
  a.store(Space::local, DataType::u64, R(1), imm(1), 32);
  call(a, SystemCall::assertfail);
  a.at(fine).target = a.at(fine).reconvergence = a.here();
  a.exit();
  a.function("asserts").parameterBytes = 24;
  Runner runner;
  runner.pass(text(runner, "x > 0")), runner.pass(text(runner, "app.cu")), runner.pass(text(runner, "kernel()"));
  const auto result = runner.run(a.program, {1}, {32});
  EXPECT_EQ(result.status, LaunchStatus::assertion);
  EXPECT_EQ(runner.printer.text, "");
  EXPECT_EQ(runner.printer.errors,
            "app.cu:77: kernel(): block: [0,0,0], thread: [0,0,0] Assertion `x > 0` failed.\n"
            "app.cu:77: kernel(): block: [0,0,0], thread: [1,0,0] Assertion `x > 0` failed.\n");
  EXPECT_NE(result.message.find("assertion `x > 0` failed at app.cu:77"), std::string::npos) << result.message;
}

}  // namespace
}  // namespace warpwright::testing
