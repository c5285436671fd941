// A tag never claims more than the values show: on random instructions of every row of the table, and on random programs.
#include <gtest/gtest.h>

#include <optional>
#include <random>

#include "exec/lane_function.hpp"
#include "experiment.hpp"
#include "isa/disassembler.hpp"
#include "isa/verify.hpp"
#include "mechanisms/affine_tags/tag_observer.hpp"
#include "unit/exec/assembler.hpp"

namespace warpwright {
namespace {

using mechanisms::affine_tags::RegisterTag;
using mechanisms::affine_tags::Tag;
using mechanisms::affine_tags::TagFile;
using mechanisms::affine_tags::TagObserver;
using mechanisms::affine_tags::TagRules;
using testing::lastSeed;

// Looks at all registers and predicates after each result.
class Checker : public exec::Observer {
 public:
  Checker(const exec::LaunchRequest& request, TagRules rules) : tags_(request, rules), registers_(request.launch->kernel->registers) {}

  void blockBegins(u64 block) override { tags_.blockBegins(block); }
  void blockEnds(u64 block) override { tags_.blockEnds(block); }
  void issue(const exec::IssueEvent& event) override { tags_.issue(event); }
  void issueTakenBack(const exec::IssueEvent& event) override { tags_.issueTakenBack(event); }
  void result(const exec::ResultEvent& event) override {
    tags_.result(event);
    const TagFile& file = *tags_.tagsOf(event.warp);
    const LaneMask existing = event.view.existing;
    for (u32 number = 0; number < registers_; ++number) {
      const RegisterTag& tag = file.at(number);
      known += tag.low != Tag::generic;
      if (holds(tag, event.view.at(number), existing)) continue;
      ADD_FAILURE() << "R" << number << " after " << isa::disassemble(*event.instruction, 64) << " at pc " << event.pc;
      ++failures;
    }
    for (u32 number = 0; number < isa::kPredicates; ++number) {
      if (file.predicate(number) != Tag::uniform) continue;
      const LaneMask value = event.view.predicates[number] & existing;
      if (value.empty() || value == existing) continue;
      ADD_FAILURE() << "P" << number << " after " << isa::disassemble(*event.instruction, 64) << " at pc " << event.pc;
      ++failures;
    }
  }
  const mechanisms::affine_tags::AffineTagStats& statistics() const { return tags_.statistics(); }

  u64 known = 0;  // registers of which something was known
  u32 failures = 0;

 private:
  TagObserver tags_;
  u32 registers_;
};

// Straight-line code of random lane operations on registers that begin as thread numbers, constants, and hashes of thread numbers.
class RandomCode {
 public:
  static constexpr u32 kRegisters = 32;

  explicit RandomCode(u64 seed) : random_(seed) {}

  testing::Assembler build(u32 instructions) {
    for (u32 number = 0; number < kRegisters; ++number) initialise(number);
    while (instructions != 0) instructions -= addOperation();
    assembler_.exit();
    assembler_.function("k").registers = kRegisters;
    return std::move(assembler_);
  }

 private:
  u32 below(u32 bound) { return static_cast<u32>(random_() % bound); }

  void initialise(u32 number) {
    constexpr isa::SpecialRegister kSpecial[] = {isa::SpecialRegister::tid_x, isa::SpecialRegister::laneid, isa::SpecialRegister::ctaid_x,
                                                 isa::SpecialRegister::tid_y, isa::SpecialRegister::lanemask_lt};
    assembler_.special(number, kSpecial[number % 5]);
  }

  isa::Operand registerOf(u32 words) { return testing::R(below(kRegisters / words) * words); }

  isa::Operand operand(const isa::Instruction& instruction, char letter, bool isSource) {
    const isa::DataType type = isa::operandType(instruction, letter, 64);
    if (type == isa::DataType::pred) return testing::P(below(6));
    if (isSource && below(3) == 0) return testing::imm(below(2) == 0 ? below(40) : random_() & mask(type));
    return registerOf(std::max(1u, isa::operandWords(instruction, letter, 64)));
  }
  static u64 mask(isa::DataType type) { return isa::sizeOf(type) == 8 ? ~u64{0} : (u64{1} << 8 * isa::sizeOf(type)) - 1; }

  // Writes thread numbers now and then, as values without structure spread.
  u32 addOperation() {
    if (below(4) == 0) {
      initialise(below(kRegisters));
      return 1;
    }
    isa::Instruction instruction;
    instruction.opcode = static_cast<isa::Opcode>(below(isa::kOpcodes));
    const isa::OpcodeInfo& row = isa::info(instruction.opcode);
    if (row.family != isa::Family::lane || row.id == "video") return 0;
    instruction.type = static_cast<isa::DataType>(below(isa::kDataTypes));
    if (!row.allows(instruction.type)) return 0;
    instruction.sourceType = static_cast<isa::DataType>(below(isa::kDataTypes));
    instruction.modifiers.compare = static_cast<isa::Compare>(below(6));
    instruction.modifiers.lut = static_cast<u8>(below(256));
    instruction.modifiers.saturate = below(16) == 0;
    instruction.modifiers.space = below(2) == 0 ? isa::Space::shared : isa::Space::global;
    for (std::size_t i = 0; i < row.sources.size(); ++i) {
      if (row.sources[i] != 'p') instruction.sources[i] = operand(instruction, row.sources[i], true);
    }
    for (std::size_t i = 0; i < row.destinations.size(); ++i) {
      if (row.destinations[i] != 'p') instruction.destinations[i] = operand(instruction, row.destinations[i], false);
    }
    if (below(8) == 0) instruction.guard = testing::P(below(6));
    if (!isa::verify(instruction, 64).empty() || !isExecutable(instruction)) return 0;
    assembler_.program.code.push_back(instruction);
    return 1;
  }
  static bool isExecutable(const isa::Instruction& instruction) {
    try {
      return exec::findLaneFunction(instruction, 32, exec::HostLevel::portable) != nullptr;
    } catch (const Error&) {
      return false;
    }
  }

  std::mt19937_64 random_;
  testing::Assembler assembler_;
};

void expectSound(u64 seed, Dim3 block, TagRules rules) {
  const testing::Assembler assembler = RandomCode(seed).build(2000);
  testing::Runner runner;
  runner.loaded = exec::load(assembler.program, runner.memory);
  runner.launch->program = runner.loaded.get();
  runner.launch->kernel = &runner.loaded->program.functions[0];
  runner.launch->grid = {2};
  runner.launch->block = block;
  Checker checker(runner.request, rules);
  runner.request.observer = &checker;
  const exec::LaunchResult result = exec::launch(runner.request, runner.memory);
  ASSERT_EQ(result.status, exec::LaunchStatus::completed) << result.message;
  ASSERT_EQ(checker.failures, 0U) << "seed " << seed;
  EXPECT_EQ(checker.statistics().reads.unsound + checker.statistics().writes.unsound, 0U);
  EXPECT_GT(checker.known, 10'000U) << "seed " << seed << " exercises the rules";
}

TEST(AffineTags, NeverClaimMoreThanTheValuesShow) {
  for (u64 seed = 1; seed <= lastSeed(1, 12); ++seed) {
    const Dim3 blocks[] = {{64}, {16, 4}, {50}};
    ASSERT_NO_FATAL_FAILURE(expectSound(seed, blocks[seed % 3], {.powersAsShifts = seed % 2 == 0}));
  }
}

class Follows : public exec::Observer {
 public:
  explicit Follows(TagRules rules) : rules_(rules) {}
  void prepare(const exec::LaunchRequest& request) { checker.emplace(request, rules_); }
  void blockBegins(u64 block) override { checker->blockBegins(block); }
  void blockEnds(u64 block) override { checker->blockEnds(block); }
  void issue(const exec::IssueEvent& event) override { checker->issue(event); }
  void issueTakenBack(const exec::IssueEvent& event) override { checker->issueTakenBack(event); }
  void result(const exec::ResultEvent& event) override { checker->result(event); }
  std::optional<Checker> checker;

 private:
  TagRules rules_;
};

TEST(AffineTags, AreSoundWithRandomControlFlow) {
  for (u64 seed = 901; seed <= lastSeed(901, 908); ++seed) {
    testing::RandomProgramOptions options;
    options.calls = seed % 3 == 0;
    testing::Shape shape;
    shape.threads = 70;
    if (seed % 2 == 0) shape.policy = exec::Reconvergence::stack;
    testing::Experiment experiment(testing::randomProgram(seed, options), 64, testing::outputBytes(options), shape, seed);
    Follows follows({.powersAsShifts = true});
    experiment.runMachine({}, &follows, [&](const exec::LaunchRequest& request) { follows.prepare(request); });
    ASSERT_EQ(follows.checker->failures, 0U) << "seed " << seed;
  }
}

// Tags of code speak of the lanes that execute. That no affine value carries into a high word is taken for granted, and true here. The
// program of seed 965 has lanes that join inside a loop, before their point of reconvergence, with different numbers of rounds behind them.
TEST(AffineTags, OfCodeAreSoundWithRandomControlFlow) {
  for (u64 seed = 951; seed <= lastSeed(951, 970); ++seed) {
    testing::RandomProgramOptions options;
    options.calls = seed % 3 == 0;
    testing::Shape shape;
    if (seed % 2 == 0) shape.policy = exec::Reconvergence::stack;
    testing::Experiment experiment(testing::randomProgram(seed, options), 64, testing::outputBytes(options), shape, seed);
    Follows follows({.powersAsShifts = true, .fromCode = true});
    experiment.runMachine({}, &follows, [&](const exec::LaunchRequest& request) { follows.prepare(request); });
    const auto& statistics = follows.checker->statistics();
    EXPECT_EQ(statistics.reads.unsound + statistics.writes.unsound, 0U) << "seed " << seed;
    EXPECT_GT(statistics.reads.taggedUniform + statistics.reads.taggedAffine, 100U) << "seed " << seed;
  }
}

}  // namespace
}  // namespace warpwright
