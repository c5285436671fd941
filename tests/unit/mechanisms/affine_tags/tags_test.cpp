// The tagged register file against figures counted by hand.
#include <gtest/gtest.h>

#include <vector>

#include "mechanisms/affine_tags/tag_observer.hpp"
#include "unit/exec/assembler.hpp"

namespace warpwright::mechanisms::affine_tags {
namespace {

using isa::Compare;
using isa::DataType;
using isa::Opcode;
using isa::Operand;
using isa::Space;
using isa::SpecialRegister;
using testing::Assembler;
using testing::imm;
using testing::P;
using testing::R;

constexpr Tag U = Tag::uniform, A = Tag::affine, V = Tag::generic;

TEST(AffineTagRules, LanesThatSuffice) {
  EXPECT_EQ(lanesOf(U, 32), 1U);
  EXPECT_EQ(lanesOf(A, 32), 2U);
  EXPECT_EQ(lanesOf(V, 32), 32U);
  EXPECT_EQ(lanesOf(A, 1), 1U);
}

// Runs a block of a hand-made kernel, and keeps the tag of each result.
class Watcher : public exec::Observer {
 public:
  explicit Watcher(TagRules rules) : rules_(rules) {}

  void start(const exec::LaunchRequest& request) { tags.emplace(request, rules_); }
  void blockBegins(u64 block) override { tags->blockBegins(block); }
  void blockEnds(u64 block) override { tags->blockEnds(block); }
  void issue(const exec::IssueEvent& event) override { tags->issue(event); }
  void issueTakenBack(const exec::IssueEvent& event) override { tags->issueTakenBack(event); }
  void result(const exec::ResultEvent& event) override {
    tags->result(event);
    results.push_back(tags->tagsOf(event.warp)->at(event.instruction->destinations[0].index));
  }

  std::optional<TagObserver> tags;
  std::vector<RegisterTag> results;  // of the first destination, if it is a register

 private:
  TagRules rules_;
};

struct Outcome {
  std::vector<RegisterTag> results;
  AffineTagStats statistics;
};

constexpr s64 kPointer = 16;  // the parameter that points to global memory

Outcome run(Assembler& assembler, Dim3 block = {32}, TagRules rules = {}) {
  if (assembler.program.functions.empty()) {
    assembler.exit();
    assembler.function("k");
  }
  isa::Function& kernel = assembler.program.functions[0];
  kernel.registers = 32;
  kernel.parameterBytes = 24;
  kernel.localBytes = 16;
  testing::Runner runner;
  runner.pass<u64>(0x1'0000'0000), runner.pass<u64>(7), runner.pass(runner.array<u32>(4));
  Watcher watcher(rules);
  runner.request.observer = &watcher;
  // The request names its program only in run(): the watcher needs the number of its instructions before.
  runner.loaded = exec::load(assembler.program, runner.memory);
  runner.launch->program = runner.loaded.get();
  runner.launch->kernel = &runner.loaded->program.functions[0];
  runner.launch->grid = {1};
  runner.launch->block = block;
  runner.launch->parameters = runner.parameters;
  watcher.start(runner.request);
  const exec::LaunchResult result = exec::launch(runner.request, runner.memory);
  EXPECT_EQ(result.status, exec::LaunchStatus::completed) << result.message;
  return {watcher.results, watcher.tags->statistics()};
}

Tag wholeOf(const Outcome& outcome, std::size_t index) { return outcome.results.at(index).whole; }

TEST(AffineTags, ThreadNumbersAreAffineAndFollowTheRules) {
  Assembler a;
  a.special(0, SpecialRegister::tid_x);
  a.special(1, SpecialRegister::ctaid_x);
  a.emit(Opcode::add, DataType::u32, {R(2)}, {R(0), R(1)});
  a.emit(Opcode::shl, DataType::u32, {R(3)}, {R(2), imm(2)});
  a.emit(Opcode::sub, DataType::u32, {R(4)}, {imm(9), R(0)});
  a.emit(Opcode::mul_lo, DataType::u32, {R(5)}, {R(0), imm(12)});
  a.emit(Opcode::add, DataType::u32, {R(6)}, {R(0), R(3)});
  a.emit(Opcode::mul_lo, DataType::u32, {R(7)}, {R(1), imm(12)});
  a.emit(Opcode::add, DataType::f32, {R(8)}, {R(0), imm(0)});
  const Outcome outcome = run(a);
  const Tag expected[] = {A, U, A, A, V, V, V, U, V};
  for (std::size_t i = 0; i < 9; ++i) EXPECT_EQ(wholeOf(outcome, i), expected[i]) << i;

  const AffineTagStats& statistics = outcome.statistics;
  EXPECT_EQ(statistics.writes.total, 9U);
  EXPECT_EQ(statistics.writes.taggedUniform, 2U);
  EXPECT_EQ(statistics.writes.taggedAffine, 3U);
  // 9 - i, 12 * i and 5 * i are affine, and so are the bits of i taken as tiny numbers.
  EXPECT_EQ(statistics.writes.all.allAffine(), 9U);
  EXPECT_EQ(statistics.writes.all.otherAffine, 3U);
  EXPECT_EQ(statistics.writes.missed.multiplication, 1U);
  EXPECT_EQ(statistics.writes.missed.other, 2U);
  EXPECT_EQ(statistics.writes.missed.conversion, 1U);
  EXPECT_EQ(statistics.reads.total, 9U) << "R0 R1, R2, R0, R0, R0 R3, R1, R0";
  EXPECT_EQ(statistics.reads.taggedUniform, 2U);
  EXPECT_EQ(statistics.reads.taggedAffine, 7U);
  EXPECT_EQ(statistics.reads.lanes, 9 * 32U);
  EXPECT_EQ(statistics.reads.lanesMoved, 2 * 1 + 7 * 2U);
  // Numbers of threads and blocks are read, not computed.
  EXPECT_EQ(statistics.operations.operations, 7U);
  EXPECT_EQ(statistics.operations.uniform, 1U);
  EXPECT_EQ(statistics.operations.affine, 2U);
  EXPECT_EQ(statistics.operations.lanesClocked, 1 + 2 * 2 + 4 * 32U);
  EXPECT_EQ(statistics.operations.conversions, 5U) << "operands of the four vector operations";
  EXPECT_EQ(statistics.reads.unsound + statistics.writes.unsound, 0U);
}

TEST(AffineTags, BlocksOfSixteenThreadsInARow) {
  Assembler a;
  a.special(0, SpecialRegister::tid_x);
  a.special(1, SpecialRegister::tid_y);
  const Outcome square = run(a, {16, 16});
  EXPECT_EQ(wholeOf(square, 0), V);
  EXPECT_EQ(wholeOf(square, 1), V);
  Assembler b;
  b.special(0, SpecialRegister::tid_x);
  b.special(1, SpecialRegister::tid_y);
  const Outcome wide = run(b, {64, 2});
  EXPECT_EQ(wholeOf(wide, 0), A);
  EXPECT_EQ(wholeOf(wide, 1), U);
}

TEST(AffineTags, PartialWritesAreGeneric) {
  Assembler a;
  a.special(0, SpecialRegister::tid_x);
  a.emit(Opcode::mov, DataType::u32, {R(1)}, {imm(3)});
  a.compare(0, Compare::lt, DataType::u32, R(0), imm(5));
  a.emit(Opcode::mov, DataType::u32, {R(1)}, {imm(3)}).guard = P(0);
  a.emit(Opcode::add, DataType::u32, {R(2)}, {R(1), imm(1)});
  const Outcome outcome = run(a);
  EXPECT_EQ(wholeOf(outcome, 1), U);
  EXPECT_EQ(wholeOf(outcome, 3), V);
  EXPECT_EQ(wholeOf(outcome, 4), V);
  // The values are uniform all the same, which the loss explains, here and in what follows from it.
  EXPECT_EQ(outcome.results[4].loss, Loss::partialWrite);
  EXPECT_EQ(outcome.statistics.writes.missed.partialWrite, 2U);
  EXPECT_EQ(outcome.statistics.operations.expansions, 1U);
}

// What the values show, by unit, over all lanes and in those that execute.
TEST(AffineTags, OperandsOfAUnitCountWithAndWithoutTheMask) {
  constexpr u64 kOne = 0x3f80'0000, kTwo = 0x4000'0000;
  Assembler a;
  a.special(0, SpecialRegister::tid_x);
  a.emit(Opcode::mov, DataType::u32, {R(1)}, {imm(kOne)});
  a.compare(0, Compare::lt, DataType::u32, R(0), imm(5));
  a.emit(Opcode::mov, DataType::u32, {R(1)}, {imm(kTwo)}).guard = P(0);
  a.emit(Opcode::add, DataType::f32, {R(2)}, {R(1), imm(kOne)}).guard = P(0);
  a.emit(Opcode::add, DataType::f32, {R(3)}, {R(0), imm(kOne)});
  const AffineTagStats statistics = run(a).statistics;
  const UnitStats& fp32 = statistics.units.fp32;
  EXPECT_EQ(fp32.reads.total, 2U);
  EXPECT_EQ(fp32.reads.uniform, 0U);
  EXPECT_EQ(fp32.reads.affine, 1U) << "R0";
  EXPECT_EQ(fp32.reads.maskedUniform, 1U) << "R1 in five lanes";
  EXPECT_EQ(fp32.reads.maskedAffine, 2U);
  EXPECT_EQ(fp32.writes.total, 2U);
  EXPECT_EQ(fp32.writes.uniform, 1U) << "R3: numbers as small as these vanish";
  EXPECT_EQ(fp32.writes.maskedUniform, 2U);
  u64 reads = 0, maskedReads = 0;
  for (const UnitStats* unit : {&statistics.units.integer, &fp32, &statistics.units.control}) {
    reads += unit->reads.affine;
    maskedReads += unit->reads.maskedAffine;
  }
  EXPECT_EQ(reads, statistics.reads.all.allAffine());
  EXPECT_EQ(maskedReads, statistics.reads.masked.allAffine());
}

TEST(AffineTags, AUniformPredicateWritesAllLanes) {
  Assembler a;
  a.special(0, SpecialRegister::ctaid_x);
  a.compare(0, Compare::lt, DataType::u32, R(0), imm(5));
  a.emit(Opcode::mov, DataType::u32, {R(1)}, {imm(3)}).guard = P(0);
  a.emit(Opcode::selp, DataType::u32, {R(2)}, {R(1), imm(4), P(0)});
  const Outcome outcome = run(a);
  EXPECT_EQ(wholeOf(outcome, 2), U);
  EXPECT_EQ(wholeOf(outcome, 3), U);
}

TEST(AffineTags, LanesWithoutAThreadDoNotCount) {
  Assembler a;
  a.special(0, SpecialRegister::tid_x);
  a.emit(Opcode::mov, DataType::u32, {R(1)}, {imm(3)});
  const Outcome outcome = run(a, {20});
  EXPECT_EQ(wholeOf(outcome, 0), A);
  EXPECT_EQ(wholeOf(outcome, 1), U);
}

TEST(AffineTags, SharedAndConstantMemoryBroadcast) {
  Assembler a;
  a.special(0, SpecialRegister::tid_x);
  a.emit(Opcode::mov, DataType::u32, {R(1)}, {imm(8)});
  a.load(Space::param, DataType::u32, 2, Operand{}, 8);
  a.load(Space::param, DataType::u32, 3, R(1)).modifiers.wordAddress = true;
  a.emit(Opcode::and_, DataType::u32, {R(4)}, {R(0), imm(8)});
  a.load(Space::param, DataType::u32, 5, R(4)).modifiers.wordAddress = true;
  const Outcome outcome = run(a);
  EXPECT_EQ(wholeOf(outcome, 2), U);
  EXPECT_EQ(wholeOf(outcome, 3), U);
  EXPECT_EQ(wholeOf(outcome, 5), V);
  EXPECT_EQ(outcome.results[5].loss, Loss::load);
}

// Section 5 broadcasts what the constant and the shared memory give to all lanes; a word of global or private memory is generic, also where
// all lanes load the same one.
TEST(AffineTags, UniformLoadsOfGlobalAndPrivateMemoryAreGeneric) {
  for (const Space space : {Space::global, Space::generic, Space::local}) {
    Assembler a;
    a.load(Space::param, DataType::u64, 2, Operand{}, kPointer);
    a.load(space, DataType::u32, 4, space == Space::local ? imm(0) : R(2));
    const Outcome outcome = run(a);
    EXPECT_EQ(wholeOf(outcome, 0), U);
    EXPECT_EQ(wholeOf(outcome, 1), V) << static_cast<int>(space);
    EXPECT_EQ(outcome.results[1].loss, Loss::load);
  }
}

// 64-bit addresses: the high word is uniform as long as no lane carries.
TEST(AffineTags, WideSumsWatchForCarries) {
  Assembler a;
  a.special(0, SpecialRegister::tid_x);
  a.emit(Opcode::cvt, DataType::u64, {R(2)}, {R(0)}).sourceType = DataType::u32;
  a.emit(Opcode::shl, DataType::u64, {R(4)}, {R(2), imm(2)});
  a.emit(Opcode::add, DataType::u64, {R(6)}, {R(4), testing::param(0)});
  a.emit(Opcode::mov, DataType::u32, {R(9)}, {R(7)});
  a.emit(Opcode::add, DataType::u64, {R(10)}, {R(4), imm(0xffff'fff0)});
  a.emit(Opcode::mov, DataType::u32, {R(12)}, {R(11)});
  const Outcome outcome = run(a);
  EXPECT_EQ(wholeOf(outcome, 3), A);
  EXPECT_EQ(wholeOf(outcome, 4), U);
  EXPECT_EQ(wholeOf(outcome, 5), V) << "issued again as a vector operation";
  EXPECT_EQ(wholeOf(outcome, 6), V);
  EXPECT_EQ(outcome.results[6].loss, Loss::overflow);
  EXPECT_EQ(outcome.statistics.operations.overflows, 1U);
  EXPECT_EQ(outcome.statistics.operations.affine, 3U);
}

// Collange, Defour and Zhang, section 6: an affine value of 16 bits that overflows is no longer affine when it is extended.
TEST(AffineTags, HalvesHaveTagsOfTheirOwn) {
  Assembler a;
  a.special(0, SpecialRegister::tid_x);
  a.emit(Opcode::add, DataType::u16, {R(1)}, {R(0), imm(100)});
  a.emit(Opcode::cvt, DataType::u32, {R(2)}, {R(1)}).sourceType = DataType::u16;
  a.emit(Opcode::add, DataType::u16, {R(3)}, {R(0), imm(0xfff0)});
  a.emit(Opcode::cvt, DataType::u32, {R(4)}, {R(3)}).sourceType = DataType::u16;
  a.emit(Opcode::sub, DataType::u16, {R(5)}, {R(3), imm(0xfff0)});
  const Outcome outcome = run(a);
  EXPECT_EQ(wholeOf(outcome, 1), A);
  EXPECT_EQ(wholeOf(outcome, 2), A);
  EXPECT_EQ(wholeOf(outcome, 3), V);
  EXPECT_EQ(outcome.results[3].low, A) << "modulo 2^16 it is";
  EXPECT_EQ(outcome.results[3].high, U);
  EXPECT_EQ(wholeOf(outcome, 4), V);
  EXPECT_EQ(outcome.statistics.operations.overflows, 1U);
  EXPECT_EQ(wholeOf(outcome, 5), A);
}

TEST(AffineTags, ProductsWithPowersOfTwoAreShiftsOnRequest) {
  const auto program = [] {
    Assembler a;
    a.special(0, SpecialRegister::tid_x);
    a.emit(Opcode::mul_lo, DataType::u32, {R(1)}, {R(0), imm(8)});
    a.emit(Opcode::mad_wide, DataType::u32, {R(2)}, {R(0), imm(4), testing::param(0)});
    a.emit(Opcode::mul_lo, DataType::u32, {R(4)}, {R(0), imm(12)});
    return a;
  };
  Assembler paper = program(), shifts = program();
  const Outcome generic = run(paper), affine = run(shifts, {32}, {.powersAsShifts = true});
  EXPECT_EQ(wholeOf(generic, 1), V);
  EXPECT_EQ(wholeOf(generic, 2), V);
  EXPECT_EQ(wholeOf(affine, 1), A);
  EXPECT_EQ(wholeOf(affine, 2), A);
  EXPECT_EQ(wholeOf(affine, 3), V);
}

// if (i < 5) { a = 1; b = i + 1; } else { a = 2; } c = a; d = 7;
Assembler divergent() {
  Assembler a;
  a.special(0, SpecialRegister::tid_x);
  a.emit(Opcode::mov, DataType::u32, {R(1)}, {imm(3)});
  a.compare(0, Compare::lt, DataType::u32, R(0), imm(5));
  const u32 branch = a.branch(P(0));
  a.emit(Opcode::mov, DataType::u32, {R(1)}, {imm(2)});
  const u32 skip = a.jump();
  a.at(branch).target = a.here();
  a.emit(Opcode::mov, DataType::u32, {R(1)}, {imm(1)});
  a.emit(Opcode::add, DataType::u32, {R(2)}, {R(0), R(1)});
  a.at(skip).target = a.at(branch).reconvergence = a.here();
  a.emit(Opcode::mov, DataType::u32, {R(3)}, {R(1)});
  a.emit(Opcode::mov, DataType::u32, {R(4)}, {imm(7)});
  return a;
}

TEST(AffineTags, TagsOfCodeSpeakOfTheLanesThatExecute) {
  Assembler a = divergent(), b = divergent();
  const AffineTagStats registers = run(a).statistics;
  const AffineTagStats code = run(b, {32}, {.fromCode = true}).statistics;
  // In the branches everything is a partial write to tags of registers. To those of code, both branches write uniform values and i + 1 is
  // affine; where the branches meet, R1 is neither.
  EXPECT_EQ(registers.writes.taggedUniform, 2U) << "R1 before, R4";
  EXPECT_EQ(registers.writes.taggedAffine, 1U) << "R0";
  EXPECT_EQ(code.writes.taggedUniform, 4U);
  EXPECT_EQ(code.writes.taggedAffine, 2U);
  EXPECT_EQ(code.writes.total, 7U);
  EXPECT_EQ(code.reads.unsound + code.writes.unsound, 0U);
}

// A guard that differs between lanes leaves two values in one register.
TEST(AffineTags, TagsOfCodeKnowWhatAGuardLeaves) {
  Assembler a;
  a.special(0, SpecialRegister::tid_x);
  a.emit(Opcode::mov, DataType::u32, {R(1)}, {imm(3)});
  a.compare(0, Compare::lt, DataType::u32, R(0), imm(5));
  a.emit(Opcode::mov, DataType::u32, {R(1)}, {imm(4)}).guard = P(0);
  a.emit(Opcode::add, DataType::u32, {R(2)}, {R(1), imm(1)});
  const AffineTagStats code = run(a, {32}, {.fromCode = true}).statistics;
  EXPECT_EQ(code.reads.unsound + code.writes.unsound, 0U);
  EXPECT_EQ(code.writes.taggedUniform, 1U) << "R1 before";
  EXPECT_EQ(code.writes.taggedAffine, 1U) << "R0";
}

// switch (index & 1) { case 0: a = 5; break; case 1: a = 6; } b = a + 1; lanes that the guard keeps from the switch go round it: a = i.
AffineTagStats switchOn(const Operand& index, const Operand& guard = P(isa::kTruePredicate)) {
  Assembler a;
  a.special(0, SpecialRegister::tid_x);
  a.compare(0, Compare::lt, DataType::u32, R(0), imm(16));
  a.emit(Opcode::and_, DataType::u32, {R(1)}, {index, imm(1)});
  const u32 branch = a.here();
  a.emit(Opcode::brx, DataType::u32, {}, {R(1)}).target = 0;
  a.at(branch).guard = guard;
  a.emit(Opcode::mov, DataType::u32, {R(2)}, {R(0)});
  const Pc round = a.jump(), first = a.here();
  a.emit(Opcode::mov, DataType::u32, {R(2)}, {imm(5)});
  const Pc leave = a.jump(), second = a.here();
  a.emit(Opcode::mov, DataType::u32, {R(2)}, {imm(6)});
  a.at(round).target = a.at(leave).target = a.at(branch).reconvergence = a.here();
  a.program.branchTables = {{first, second}};
  a.emit(Opcode::add, DataType::u32, {R(3)}, {R(2), imm(1)});
  return run(a, {32}, {.fromCode = true}).statistics;
}

// Each case writes a uniform value; behind the switch they are two.
TEST(AffineTags, TagsOfCodeKnowThatASwitchParts) {
  const AffineTagStats code = switchOn(R(0));
  EXPECT_EQ(code.reads.unsound + code.writes.unsound, 0U);
  EXPECT_EQ(code.writes.total, 5U) << "R0, R1, R2 in both cases, R3";
  EXPECT_EQ(code.writes.taggedUniform, 2U) << "R2";
  EXPECT_EQ(code.writes.taggedAffine, 1U) << "R0";
}

TEST(AffineTags, TagsOfCodeKnowThatASwitchOnAUniformValueStaysTogether) {
  const AffineTagStats code = switchOn(imm(3));
  EXPECT_EQ(code.reads.unsound + code.writes.unsound, 0U);
  EXPECT_EQ(code.writes.total, 4U) << "R0, R1, R2, R3";
  EXPECT_EQ(code.writes.taggedUniform, 3U) << "all but R0";
}

TEST(AffineTags, TagsOfCodeKnowThatAGuardedSwitchParts) {
  const AffineTagStats code = switchOn(imm(3), P(0));
  EXPECT_EQ(code.reads.unsound + code.writes.unsound, 0U);
  EXPECT_EQ(code.writes.total, 5U) << "R0, R1, R2 in the case and around it, R3";
  EXPECT_EQ(code.writes.taggedUniform, 2U) << "R1, R2 in the case";
  EXPECT_EQ(code.writes.taggedAffine, 2U) << "R0, R2 around the case";
}

TEST(AffineTags, TagsOfCodeKnowNothingBehindACall) {
  Assembler a;
  a.emit(Opcode::mov, DataType::u32, {R(1)}, {imm(3)});
  a.emit(Opcode::call, DataType::u32).target = 1;
  a.emit(Opcode::add, DataType::u32, {R(2)}, {R(1), imm(1)});
  a.exit();
  a.function("k");
  a.special(1, SpecialRegister::lanemask_lt);
  a.emit(Opcode::ret, DataType::u32);
  a.function("f", false);
  const AffineTagStats code = run(a, {32}, {.fromCode = true}).statistics;
  EXPECT_EQ(code.reads.unsound + code.writes.unsound, 0U);
  EXPECT_EQ(code.writes.taggedUniform, 1U) << "R1 before";
}

// if (i < 16) barrier; c = 0; do { ++c; barrier; } while (c < 3). Half of the warp waits inside the branch, so the machine lets the other
// half past the point where both should meet; the barriers of the loop join the halves, a round apart. c then differs between lanes.
TEST(AffineTags, TagsOfCodeTrustNoMeetingWhereLanesWait) {
  Assembler a;
  a.special(0, SpecialRegister::tid_x);
  a.compare(0, Compare::ge, DataType::u32, R(0), imm(16));
  const u32 branch = a.branch(P(0));
  a.barrier();
  a.at(branch).target = a.at(branch).reconvergence = a.here();
  a.emit(Opcode::mov, DataType::u32, {R(1)}, {imm(0)});
  const u32 loop = a.here();
  a.emit(Opcode::add, DataType::u32, {R(1)}, {R(1), imm(1)});
  a.barrier();
  a.compare(1, Compare::lt, DataType::u32, R(1), imm(3));
  const u32 again = a.branch(P(1), loop);
  a.at(again).reconvergence = a.here();
  const AffineTagStats code = run(a, {32}, {.fromCode = true}).statistics;
  EXPECT_LT(code.reads.all.zero + code.reads.all.uniform, code.reads.total - 1) << "c differs between lanes, too, not only i";
  EXPECT_EQ(code.reads.unsound + code.writes.unsound, 0U);
}

}  // namespace
}  // namespace warpwright::mechanisms::affine_tags
