// Control bits of code written by hand: stalls, counters and waits that can be worked out on paper.
#include "compiler/control_bits/control_bits.hpp"

#include <gtest/gtest.h>

#include <bit>

#include "compiler/compiler.hpp"
#include "isa/disassembler.hpp"
#include "ptx/parser.hpp"
#include "unit/exec/assembler.hpp"

namespace warpwright::compiler {
namespace {

using isa::ControlBits;
using isa::Latency;
using isa::Space;
using testing::Assembler;
using testing::imm;
using testing::P;
using testing::R;

constexpr u8 kUncounted = ControlBits::kNoCounter;

// Additions take 4 cycles, products 6, fp64 9; divisions are too long for a stall.
isa::IssueTiming controlTiming() {
  isa::IssueTiming timing;
  timing.latency.fill(4);
  timing.latency[static_cast<std::size_t>(Latency::multiply)] = 6;
  timing.latency[static_cast<std::size_t>(Latency::fma64)] = 9;
  timing.latency[static_cast<std::size_t>(Latency::divide)] = 40;
  timing.branch = 2;
  return timing;
}

class Bits {
 public:
  Assembler code;
  Bits() { code.program.addressBits = 64; }

  isa::Instruction& add(u32 to, u32 a, u32 b) { return code.emit(Opcode::add, DataType::u32, {R(to)}, {R(a), R(b)}); }
  isa::Instruction& multiply(u32 to, u32 a, u32 b) { return code.emit(Opcode::mul_lo, DataType::u32, {R(to)}, {R(a), R(b)}); }
  // From the address in R2, R3, which it may name otherwise.
  isa::Instruction& load(u32 to, u32 address = 2) { return code.load(Space::global, DataType::u32, to, R(address)); }
  isa::Instruction& store(u32 value, u32 address = 2) { return code.store(Space::global, DataType::u32, R(address), R(value)); }

  std::vector<ControlBits> assigned(bool isKernel = true) {
    code.exit();
    return assignedWithoutExit(isKernel);
  }
  std::vector<ControlBits> assignedWithoutExit(bool isKernel = true) {
    code.function("k", isKernel);
    assignControlBits(code.program, controlTiming());
    return code.program.control;
  }
  std::vector<u32> stalls() {
    std::vector<u32> stalls;
    for (const ControlBits& bits : assigned()) stalls.push_back(bits.stall);
    return stalls;
  }

 private:
  using Opcode = isa::Opcode;
  using DataType = isa::DataType;
};

using Stalls = std::vector<u32>;

TEST(ControlBits, AConsumerNextToItsProducerStallsForTheLatency) {
  Bits bits;
  bits.add(4, 5, 6);
  bits.add(7, 4, 6);
  EXPECT_EQ(bits.stalls(), (Stalls{4, 1, 1}));
}

TEST(ControlBits, InstructionsInBetweenCountForTheLatency) {
  Bits bits;
  bits.multiply(4, 5, 6);  // 6 cycles
  bits.add(7, 5, 6);
  bits.add(8, 5, 6);
  bits.add(9, 4, 6);
  EXPECT_EQ(bits.stalls(), (Stalls{1, 1, 4, 1, 1}));
}

TEST(ControlBits, ResultsOfOneRegisterComeInOrder) {
  Bits bits;
  bits.multiply(4, 5, 6);  // there at 6
  bits.add(4, 5, 6);       // there 4 cycles after its issue, at 7 or later
  EXPECT_EQ(bits.stalls(), (Stalls{3, 1, 1}));
}

TEST(ControlBits, PredicatesAndGuardsAreOperands) {
  Bits bits;
  bits.code.compare(0, isa::Compare::lt, isa::DataType::u32, R(4), R(5));
  bits.add(6, 4, 5).guard = P(0);
  EXPECT_EQ(bits.stalls(), (Stalls{4, 1, 1}));
}

// What no lane writes keeps what it was: whoever reads it has to wait for both.
TEST(ControlBits, AGuardedResultDoesNotReplaceTheOneBefore) {
  Bits bits;
  bits.multiply(4, 5, 6);
  bits.load(4).guard = P(0);
  bits.add(7, 4, 4);
  const auto control = bits.assigned();
  EXPECT_EQ(control[0].stall, 6) << "the load may be through at once when no lane takes part";
  EXPECT_EQ(control[2].waits, 1u << control[1].writeCounter);
}

TEST(ControlBits, LatenciesBeyondAStallTakeACounter) {
  Bits bits;
  bits.code.emit(isa::Opcode::div, isa::DataType::u32, {R(4)}, {R(5), R(6)});
  bits.add(7, 5, 6);
  bits.add(8, 4, 6);
  const auto control = bits.assigned();
  EXPECT_NE(control[0].writeCounter, kUncounted);
  EXPECT_EQ(control[0].stall, 1);
  EXPECT_EQ(control[1].waits, 0);
  EXPECT_EQ(control[2].waits, 1u << control[0].writeCounter);
}

TEST(ControlBits, ACounterIsSeenByTheNextInstructionButOne) {
  Bits bits;
  bits.load(4);
  bits.add(5, 4, 4);
  bits.load(6);
  bits.add(7, 8, 8);
  bits.add(9, 6, 6);
  const auto control = bits.assigned();
  EXPECT_EQ(control[0].stall, 2);
  EXPECT_EQ(control[1].waits, 1u << control[0].writeCounter);
  EXPECT_EQ(control[2].stall, 1);
  EXPECT_EQ(control[4].waits, 1u << control[2].writeCounter);
}

TEST(ControlBits, LoadsOfOneConsumerShareACounter) {
  Bits bits;
  bits.load(4);
  bits.load(5);
  bits.load(6);
  bits.add(7, 4, 5);
  bits.add(8, 6, 6);
  const auto control = bits.assigned();
  EXPECT_EQ(control[0].writeCounter, control[1].writeCounter);
  EXPECT_NE(control[0].writeCounter, control[2].writeCounter);
  EXPECT_EQ(control[3].waits, 1u << control[0].writeCounter);
  EXPECT_EQ(control[4].waits, 1u << control[2].writeCounter);
}

// Seven loads, each with a consumer of its own: two share, those of the last consumers.
TEST(ControlBits, SevenProducersHaveSixCounters) {
  Bits bits;
  for (u32 i = 0; i < 7; ++i) bits.load(4 + i);
  for (u32 i = 0; i < 7; ++i) bits.add(20 + i, 4 + i, 4 + i);
  const auto control = bits.assigned();
  u32 all = 0;
  for (u32 i = 0; i < 7; ++i) {
    ASSERT_LT(control[i].writeCounter, isa::kDependenceCounters);
    all |= 1u << control[i].writeCounter;
  }
  EXPECT_EQ(all, 0b111111u);
  EXPECT_EQ(control[6].writeCounter, control[5].writeCounter);
  for (u32 i = 0; i < 6; ++i) EXPECT_EQ(control[7 + i].waits, 1u << control[i].writeCounter) << i;
  EXPECT_EQ(control[13].waits, 0) << "it was waited for with the sixth";
}

TEST(ControlBits, WhoOverwritesAnOperandWaitsUntilItIsRead) {
  Bits bits;
  bits.store(4);
  bits.add(7, 5, 6);
  bits.add(4, 5, 6);
  const auto control = bits.assigned();
  EXPECT_EQ(control[0].writeCounter, kUncounted);
  ASSERT_NE(control[0].readCounter, kUncounted);
  EXPECT_EQ(control[1].waits, 0);
  EXPECT_EQ(control[2].waits, 1u << control[0].readCounter);
}

// Its address is overwritten before its result is asked for, or behind that: then the result says enough.
TEST(ControlBits, ALoadCountsItsOperandsOnlyWhereTheResultComesTooLate) {
  Bits early;
  early.load(8, 4);
  early.add(4, 6, 6);
  early.add(9, 8, 8);
  const auto before = early.assigned();
  ASSERT_NE(before[0].readCounter, kUncounted);
  EXPECT_NE(before[0].readCounter, before[0].writeCounter);
  EXPECT_EQ(before[1].waits, 1u << before[0].readCounter);
  EXPECT_EQ(before[2].waits, 1u << before[0].writeCounter);
  Bits late;
  late.load(8, 4);
  late.add(9, 8, 8);
  late.add(4, 6, 6);
  const auto behind = late.assigned();
  EXPECT_EQ(behind[0].readCounter, kUncounted);
  EXPECT_EQ(behind[1].waits, 1u << behind[0].writeCounter);
  EXPECT_EQ(behind[2].waits, 0);
}

// As in code that works out addresses in one register and another in turn: who overwrites one waits for a few cycles, and for no result.
TEST(ControlBits, WhoOverwritesAnOperandWaitsForNoResult) {
  Bits bits;
  for (u32 i = 0; i < 12; ++i) {
    bits.load(20 + i, 4 + i % 2 * 2);
    bits.add(4 + i % 2 * 2, 12, 13);
  }
  for (u32 i = 0; i < 12; ++i) bits.add(40 + i, 20 + i, 20 + i);
  const auto control = bits.assigned();
  u32 ofResults = 0;
  for (u32 i = 0; i < 12; ++i) ofResults |= 1u << control[2 * i].writeCounter;
  EXPECT_EQ(std::popcount(ofResults), 5);
  for (u32 i = 0; i < 12; ++i) {
    ASSERT_NE(control[2 * i].readCounter, kUncounted) << i;
    EXPECT_EQ(control[2 * i + 1].waits, 1u << control[2 * i].readCounter) << i;
    EXPECT_EQ(control[2 * i + 1].waits & ofResults, 0u) << i;
    EXPECT_EQ(control[2 * i].waits, 0) << i;
  }
}

TEST(ControlBits, OperandsThatNothingOverwritesNeedNoCounter) {
  Bits bits;
  bits.add(4, 5, 6);
  bits.store(4);
  EXPECT_FALSE(bits.assigned()[1].counts());
}

// The stored register is overwritten in the next round.
TEST(ControlBits, LoopsCarryWhatIsUnderWay) {
  Bits bits;
  bits.code.emit(isa::Opcode::mov, isa::DataType::u32, {R(4)}, {imm(0)});
  const u32 again = bits.code.here();
  bits.add(4, 4, 5);
  bits.load(6);
  bits.store(4);
  bits.multiply(5, 7, 7);
  bits.code.branch(P(0), again);
  bits.add(8, 6, 6);
  const auto control = bits.assigned();
  ASSERT_NE(control[3].readCounter, kUncounted);
  EXPECT_EQ(control[again].waits, 1u << control[3].readCounter);
  EXPECT_EQ(control[2].waits, 1u << control[2].writeCounter) << "the load of the round before may be under way";
  EXPECT_EQ(control[4].stall, 1);
  EXPECT_EQ(control[5].stall, 5) << "the product, one cycle old, is needed at the loop's beginning";
  EXPECT_EQ(control[6].waits, 1u << control[2].writeCounter);
}

// The way that a branch takes is known after two cycles.
TEST(ControlBits, BranchesTakeTimeThemselves) {
  Bits bits;
  bits.add(4, 5, 6);
  const Pc over = bits.code.branch(P(0));
  bits.add(7, 5, 6);
  bits.code.at(over).target = bits.code.here();
  bits.add(8, 4, 4);
  const auto control = bits.assigned();
  EXPECT_EQ(control[1].stall, 3) << "for the way that is taken";
  EXPECT_EQ(control[2].stall, 1);
}

TEST(ControlBits, CallsAndReturnsWaitForEverything) {
  Bits bits;
  bits.load(4);
  bits.multiply(5, 6, 6);
  bits.code.emit(isa::Opcode::call, isa::DataType::u32).target = 0;
  bits.add(7, 4, 5);
  bits.store(7);
  bits.code.emit(isa::Opcode::ret, isa::DataType::u32);
  const auto control = bits.assignedWithoutExit(false);
  EXPECT_EQ(control[2].waits, 1u << control[0].writeCounter);
  EXPECT_EQ(control[2].stall, 5) << "the product";
  EXPECT_EQ(control[3].waits, 0);
  ASSERT_NE(control[4].readCounter, kUncounted) << "the caller may overwrite what the store reads";
  EXPECT_EQ(control[5].waits, 1u << control[4].readCounter);
}

// Listing 4 of the paper, seen from the compiler: a mark is of use where the next read of the bank in that place is of the same register.
TEST(ControlBits, MarksOperandsThatAreReadAgainInTheirPlace) {
  const auto marks = [](std::initializer_list<std::array<u32, 4>> code) {
    Bits bits;
    for (const auto& [to, a, b, c] : code) bits.code.emit(isa::Opcode::mad_lo, isa::DataType::u32, {R(to)}, {R(a), R(b), R(c)});
    bits.code.exit();
    bits.code.function("k");
    isa::IssueTiming timing = controlTiming();
    timing.operandBanks = 2;
    assignControlBits(bits.code.program, timing);
    std::vector<u32> marked;
    for (const ControlBits& each : bits.code.program.control) marked.push_back(each.reuse);
    return marked;
  };
  using Marks = std::vector<u32>;
  EXPECT_EQ(marks({{1, 2, 3, 4}, {5, 2, 7, 8}, {10, 2, 12, 13}}), (Marks{1, 1, 0, 0}));
  EXPECT_EQ(marks({{1, 2, 3, 4}, {5, 7, 2, 8}, {10, 2, 12, 13}}), (Marks{1, 0, 0, 0})) << "7 lies in the other bank";
  EXPECT_EQ(marks({{1, 2, 3, 4}, {5, 4, 7, 8}, {10, 2, 12, 13}}), (Marks{0, 0, 0, 0})) << "4 takes its place";
  EXPECT_EQ(marks({{1, 2, 3, 4}, {2, 2, 7, 8}, {10, 2, 12, 13}}), (Marks{1, 0, 0, 0})) << "it is another value then";
  EXPECT_EQ(marks({{1, 2, 3, 4}, {5, 2, 3, 4}}), (Marks{7, 0, 0}));
}

TEST(ControlBits, OptionsOfTheCompilerAskForThem) {
  constexpr const char* kCode = R"(.version 6.0
.target sm_60
.address_size 64
.visible .entry k(.param .u64 out) {
  .reg .b32 %r<3>;
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [out];
  ld.global.u32 %r1, [%rd1];
  add.u32 %r2, %r1, 1;
  st.global.u32 [%rd1], %r2;
  ret;
})";
  Options options;
  EXPECT_TRUE(compile(ptx::parse(kCode, "k.ptx"), options).control.empty());
  options.issueTiming = controlTiming();
  const isa::Program program = compile(ptx::parse(kCode, "k.ptx"), options);
  ASSERT_EQ(program.control.size(), program.code.size());
  const std::string listing = isa::disassemble(program, program.functions.front(), {.ptx = false, .source = false, .control = true});
  EXPECT_NE(listing.find("B------:R-:W0:-:S02  LD.GLOBAL"), std::string::npos) << listing;
  EXPECT_NE(listing.find("B0-----:R-:W-:-:S04  ADD"), std::string::npos) << listing;
  EXPECT_EQ(isa::disassemble(program, program.functions.front(), {.ptx = false, .source = false}).find("B------"), std::string::npos);
}

}  // namespace
}  // namespace warpwright::compiler
