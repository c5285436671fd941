// What tags for uniform and affine vectors change of times.
#include <gtest/gtest.h>

#include "mechanisms/affine_tags/settings.hpp"
#include "tiny_kernels.hpp"
#include "two_rounds.hpp"

namespace warpwright {
namespace {

using config::Machine;
using isa::DataType;
using isa::Opcode;
using isa::SpecialRegister;
using mechanisms::affine_tags::Settings;
using testing::Assembler;
using testing::fermi;
using testing::imm;
using testing::kBegin;
using testing::R;
using testing::second;
using testing::TimedMachine;
using testing::twice;

Machine withTags(const Settings& settings, Machine machine = fermi()) {
  machine.mechanisms.add(config::mechanismKind("affine-tags"));
  *std::any_cast<Settings>(machine.mechanisms.find("affine-tags")) = settings;
  return machine;
}

Settings nothing() { return {.shortOccupancy = false}; }

u64 cyclesOf(const testing::TwoRounds& kernel, const Machine& machine, u32 warps) {
  TimedMachine timed(machine);
  char* zeros = timed.array<char>(80 * 1024);
  const u64 aligned = (reinterpret_cast<u64>(zeros) + 16383) / 16384 * 16384;
  const machines::TimedResult result = timed.run(kernel.program, {1}, {32 * warps}, {aligned});
  EXPECT_EQ(result.functional.status, exec::LaunchStatus::completed) << result.functional.message;
  return result.cycles;
}

TEST(AffineTagsTimed, WithNothingSwitchedOnTimesAreThoseOfTheBaseline) {
  for (const testing::TinyKernel& kernel : testing::tinyKernels()) {
    const testing::TwoRounds program = testing::twoRounds(kernel);
    EXPECT_EQ(cyclesOf(program, withTags(nothing(), kernel.machine), kernel.warps), cyclesOf(program, kernel.machine, kernel.warps))
        << kernel.name;
  }
}

// When the second of two independent instructions enters its pipe, after the first.
u64 distance(const Machine& machine, const isa::Program& program) {
  TimedMachine timed(machine);
  timed.run(program, {1}, {32});
  return second(timed, kBegin + 1).dispatched - second(timed, kBegin).dispatched;
}

isa::Program roots(SpecialRegister of) {
  return twice([&](Assembler& code) {
    code.emit(Opcode::rsqrt, DataType::f32, {R(5)}, {R(4)});
    code.emit(Opcode::rsqrt, DataType::f32, {R(6)}, {R(4)});
    code.special(4, of);
  });
}

TEST(AffineTagsTimed, UniformOperationsOccupyTheirPipeForACycle) {
  const u64 interval = fermi().sm.special.interval;
  ASSERT_GT(interval, 1U);
  EXPECT_EQ(distance(fermi(), roots(SpecialRegister::ctaid_x)), interval);
  EXPECT_EQ(distance(withTags({}), roots(SpecialRegister::ctaid_x)), 1U);
  EXPECT_EQ(distance(withTags({}), roots(SpecialRegister::tid_x)), interval) << "the root of affine numbers is generic";
  EXPECT_EQ(distance(withTags(nothing()), roots(SpecialRegister::ctaid_x)), interval);
}

// Both operands lie in one bank.
isa::Program sameBank(SpecialRegister of) {
  const u32 banks = fermi().sm.registerBanks;
  return twice([&](Assembler& code) {
    code.emit(Opcode::add, DataType::u32, {R(5)}, {R(4), R(4 + banks)});
    code.emit(Opcode::add, DataType::u32, {R(6)}, {R(7), R(8)});
    code.special(4, of);
    code.special(4 + banks, of);
  });
}

u64 timeToPipe(const Machine& machine, const isa::Program& program) {
  TimedMachine timed(machine);
  timed.run(program, {1}, {32});
  return second(timed, kBegin).dispatched - second(timed, kBegin).issued;
}

TEST(AffineTagsTimed, OperandsApartHaveNoBankConflicts) {
  const Machine apart = withTags({.operandsApart = true});
  EXPECT_EQ(timeToPipe(fermi(), sameBank(SpecialRegister::ctaid_x)), 3U);
  EXPECT_EQ(timeToPipe(withTags({}), sameBank(SpecialRegister::ctaid_x)), 3U);
  EXPECT_EQ(timeToPipe(apart, sameBank(SpecialRegister::ctaid_x)), 1U) << "no bank at all";
  EXPECT_EQ(timeToPipe(apart, sameBank(SpecialRegister::lanemask_lt)), 3U);
}

TEST(AffineTagsTimed, ConversionsMayIssueAgain) {
  const auto program = twice([&](Assembler& code) {
    code.emit(Opcode::add, DataType::u32, {R(5)}, {R(4), R(6)});
    code.emit(Opcode::add, DataType::u32, {R(7)}, {R(6), R(6)});
    code.special(4, SpecialRegister::tid_x);
    code.special(6, SpecialRegister::lanemask_lt);
  });
  const auto latency = [&](const Machine& machine) {
    TimedMachine timed(machine);
    timed.run(program, {1}, {32});
    return second(timed, kBegin).completed - second(timed, kBegin).dispatched;
  };
  EXPECT_EQ(latency(withTags({.reissueConversions = true})), latency(fermi()) + 1);
  EXPECT_EQ(latency(withTags({})), latency(fermi()));
}

TEST(AffineTagsTimed, AScalarPipeLeavesTheVectorPipesAlone) {
  const auto program = twice([&](Assembler& code) {
    code.emit(Opcode::mul_lo, DataType::u32, {R(5)}, {R(4), imm(3)});
    code.emit(Opcode::mul_lo, DataType::u32, {R(7)}, {R(4), imm(5)});
    code.emit(Opcode::mul_lo, DataType::u32, {R(9)}, {R(6), imm(7)});
    code.special(4, SpecialRegister::ctaid_x);
    code.special(6, SpecialRegister::lanemask_lt);
  });
  Machine narrow = fermi();
  narrow.sm.integer = narrow.sm.fp32 = {1, 8};
  const auto wait = [&](const Machine& machine) {
    TimedMachine timed(machine);
    timed.run(program, {1}, {32});
    const testing::Step generic = second(timed, kBegin + 2);
    return generic.dispatched - generic.issued;
  };
  EXPECT_GT(wait(narrow), 2U);
  EXPECT_EQ(wait(withTags({.shortOccupancy = false, .scalarPipe = true}, narrow)), 2U);
}

TEST(AffineTagsTimed, AScalarPipeTakesNoAffineValues) {
  const auto program = twice([&](Assembler& code) {
    for (u32 i = 0; i < 3; ++i) code.emit(Opcode::add, DataType::u32, {R(5 + i)}, {R(4), imm(i)});
    code.special(4, SpecialRegister::tid_x);
  });
  Machine narrow = fermi();
  narrow.sm.integer = narrow.sm.fp32 = {1, 8};
  const auto wait = [&](const Machine& machine) {
    TimedMachine timed(machine);
    timed.run(program, {1}, {32});
    const testing::Step third = second(timed, kBegin + 2);
    return third.dispatched - third.issued;
  };
  EXPECT_GT(wait(narrow), 2U);
  EXPECT_EQ(wait(withTags({.shortOccupancy = false, .scalarPipe = true}, narrow)), wait(narrow));
}

// Thread numbers plus a number that has some of them carry into the high word.
TEST(AffineTagsTimed, OverflowsIssueAgain) {
  const auto latency = [&](const Machine& machine, u64 addend) {
    const auto program = twice([&](Assembler& code) {
      code.emit(Opcode::add, DataType::u64, {R(6)}, {R(4), imm(addend)});
      code.emit(Opcode::cvt, DataType::u64, {R(4)}, {R(8)}).sourceType = DataType::u32;
      code.special(8, SpecialRegister::tid_x);
      code.emit(Opcode::cvt, DataType::u64, {R(4)}, {R(8)}).sourceType = DataType::u32;
    });
    TimedMachine timed(machine);
    timed.run(program, {1}, {32});
    return second(timed, kBegin).completed - second(timed, kBegin).dispatched;
  };
  constexpr u64 kCarries = 0xffff'fff0;
  EXPECT_EQ(latency(fermi(), kCarries), latency(fermi(), 1));
  EXPECT_GT(latency(withTags(nothing()), kCarries), latency(withTags(nothing()), 1));
}

}  // namespace
}  // namespace warpwright
