// What observers are told of registers: an issue shows the values that an instruction reads, and no register changes without a result
// event.
#include <gtest/gtest.h>

#include <map>
#include <utility>
#include <vector>

#include "experiment.hpp"

namespace warpwright {
namespace {

using testing::Experiment;
using testing::lastSeed;
using testing::outputBytes;
using testing::RandomProgramOptions;
using testing::Shape;

// Keeps registers and predicates of its own, which only result events change, and compares.
class Shadow : public exec::Observer {
 public:
  explicit Shadow(u32 registers) : registers_(registers) {}

  void blockBegins(u64 block) override { begun_.insert_or_assign(block, true); }
  void issue(const exec::IssueEvent& event) override {
    ++issues;
    EXPECT_TRUE(begun_.contains(event.warp.block));
    EXPECT_TRUE(event.active.containsAll(event.executing));
    EXPECT_TRUE(event.view.existing.containsAll(event.active));
    State& state = stateOf(event.warp, event.view);
    if (state.registers != registersOf(event.view)) FAIL() << "a register changed before pc " << event.pc << " without an event";
    if (state.predicates != predicatesOf(event.view)) FAIL() << "a predicate changed before pc " << event.pc << " without an event";
  }
  void result(const exec::ResultEvent& event) override {
    ++results;
    EXPECT_TRUE(event.view.existing.containsAll(event.written));
    State& state = stateOf(event.warp, event.view);
    const isa::OpcodeInfo& row = isa::info(event.instruction->opcode);
    for (std::size_t i = 0; i < row.destinations.size(); ++i) take(state, event, event.instruction->destinations[i], row.destinations[i]);
  }

  u64 issues = 0, results = 0;

 private:
  struct State {
    std::vector<u32> registers;
    std::vector<LaneMask> predicates;
  };

  std::vector<u32> registersOf(const exec::WarpView& view) const { return {view.registers, view.at(registers_)}; }
  static std::vector<LaneMask> predicatesOf(const exec::WarpView& view) { return {view.predicates, view.predicates + isa::kPredicates}; }

  State& stateOf(const exec::WarpId& warp, const exec::WarpView& view) {
    const auto [place, isNew] = states_.try_emplace({warp.block, warp.warp});
    if (isNew) place->second = {registersOf(view), predicatesOf(view)};
    return place->second;
  }

  static void take(State& state, const exec::ResultEvent& event, const isa::Operand& operand, char letter) {
    if (operand.kind == isa::Operand::Kind::predicate) {
      LaneMask& mine = state.predicates[operand.index];
      mine = (mine & ~event.written) | (event.view.predicates[operand.index] & event.written);
    }
    if (operand.kind != isa::Operand::Kind::reg) return;
    const u32 words = isa::operandWords(*event.instruction, letter, 64);
    for (u32 word = operand.index; word < operand.index + words; ++word) {
      for (u32 lane = 0; lane < event.view.lanes; ++lane) {
        if (event.written.contains(lane)) state.registers[word * event.view.lanes + lane] = event.view.at(word)[lane];
      }
    }
  }

  u32 registers_;
  std::map<u64, bool> begun_;
  std::map<std::pair<u64, u32>, State> states_;
};

TEST(Events, NoRegisterChangesWithoutAResult) {
  for (u64 seed = 801; seed <= lastSeed(801, 830); ++seed) {
    RandomProgramOptions options;
    options.calls = seed % 3 == 0;
    Shape shape;
    shape.threads = 70;
    if (seed % 2 == 0) shape.policy = exec::Reconvergence::stack;
    Experiment experiment(testing::randomProgram(seed, options), options.addressBits, outputBytes(options), shape, seed);
    Shadow shadow(experiment.registers());
    experiment.runMachine({}, &shadow);
    ASSERT_FALSE(::testing::Test::HasFailure()) << "seed " << seed;
    EXPECT_GT(shadow.results, 1000U);
  }
}

}  // namespace
}  // namespace warpwright
