// Whole allocations, with spilling, under the verifier.
#include "compiler/registers/budget.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "machine_builder.hpp"
#include "random_code.hpp"

namespace warpwright::compiler {
namespace {

using isa::DataType;
using isa::Opcode;
using isa::Operand;

RegisterBudget budgetOf(u32 registers, u32 predicates = 7) { return {{registers, predicates}, SpillPolicy::standard}; }

std::string problemsOf(const MachineFunction& before, const MachineFunction& after, const RegisterLimits& limits) {
  const std::vector<Problem> problems = verifyTranslation(before, after, limits);
  return problems.empty() ? "" : problems[0].text;
}

u32 count(const MachineFunction& function, Role role) {
  u32 result = 0;
  for (const MachineInstruction& instruction : function.code) result += instruction.role == role;
  return result;
}

// Nothing is moved across it.
void wall(MachineBuilder& b) { b.emit(Opcode::nanosleep, DataType::u32, {}, {b.number(0)}); }

// `count` values from memory, which are all read after all are written.
void fillWithLiveValues(MachineBuilder& b, u32 values) {
  std::vector<Operand> list;
  for (u32 i = 0; i < values; ++i) list.push_back(b.word());
  for (const Operand& value : list) b.emit(Opcode::ld, DataType::u32, {value}, {});
  for (const Operand& value : list) b.store(value);
  b.exit();
  numberInstructions(b.function);
}

TEST(Budget, NothingIsSpilledThatFits) {
  MachineBuilder b;
  fillWithLiveValues(b, 20);
  const auto allocated = allocateWithin(b.function, budgetOf(20));
  ASSERT_TRUE(allocated);
  EXPECT_EQ(allocated->registers, 20u);
  EXPECT_EQ(allocated->spillSlots, 0u);
}

TEST(Budget, OneValueTooManyIsOneStoreAndOneReload) {
  MachineBuilder b;
  fillWithLiveValues(b, 20);
  const auto allocated = allocateWithin(b.function, budgetOf(19));
  ASSERT_TRUE(allocated);
  EXPECT_EQ(problemsOf(allocated->scheduled, allocated->code, {19, 7}), "");
  EXPECT_EQ(count(allocated->code, Role::store), 1u);
  EXPECT_EQ(count(allocated->code, Role::reload), 1u);
  EXPECT_EQ(allocated->spillSlots, 1u);
}

TEST(Budget, ConstantsAreComputedAgain) {
  MachineBuilder b;
  std::vector<Operand> list;
  for (u32 i = 0; i < 20; ++i) list.push_back(b.word());
  for (u32 i = 0; i < 20; ++i) b.move(list[i], b.number(i));
  wall(b);
  for (const Operand& value : list) b.store(value);
  b.exit();
  numberInstructions(b.function);
  const auto allocated = allocateWithin(b.function, budgetOf(10));
  ASSERT_TRUE(allocated);
  EXPECT_EQ(problemsOf(allocated->scheduled, allocated->code, {10, 7}), "");
  EXPECT_EQ(count(allocated->code, Role::reload), 0u);
  EXPECT_EQ(count(allocated->code, Role::rematerialised), 10u);
}

TEST(Budget, AValueThatALoopDoesNotReadIsReloadedBehindIt) {
  MachineBuilder b;
  const Operand outside = b.word(), x = b.word(), y = b.word(), p = b.predicate();
  const u32 head = b.label();
  for (const Operand& value : {outside, x, y}) b.emit(Opcode::ld, DataType::u32, {value}, {});
  b.bind(head);
  b.add(x, x, y);
  b.compare(p, x, y);
  b.branchIf(p, head);
  b.store(x);
  b.store(y);
  b.store(outside);
  b.exit();
  numberInstructions(b.function);
  const auto allocated = allocateWithin(b.function, budgetOf(2));
  ASSERT_TRUE(allocated);
  EXPECT_EQ(problemsOf(allocated->scheduled, allocated->code, {2, 7}), "");
  u32 position = 0;
  while (allocated->code.code[position].role != Role::reload) ++position;
  EXPECT_GT(position, allocated->code.labels[head] + 2);
}

TEST(Budget, PredicatesAreHeldInRegisters) {
  MachineBuilder b;
  std::vector<Operand> predicates;
  const Operand x = b.word(), y = b.word();
  b.emit(Opcode::ld, DataType::u32, {x}, {});
  for (u32 i = 0; i < 12; ++i) predicates.push_back(b.predicate());
  for (u32 i = 0; i < 12; ++i) b.compare(predicates[i], x, b.number(i));
  wall(b);
  for (const Operand& predicate : predicates) {
    b.move(y, b.number(1)).guard = predicate;
    b.store(y);
  }
  b.exit();
  numberInstructions(b.function);
  const auto allocated = allocateWithin(b.function, budgetOf(64));
  ASSERT_TRUE(allocated);
  EXPECT_EQ(problemsOf(allocated->scheduled, allocated->code, {64, 7}), "");
  EXPECT_LE(allocated->predicates, 7u);
  EXPECT_EQ(count(allocated->code, Role::hold), 5u);
  EXPECT_EQ(allocated->spillSlots, 0u);
}

// Ten values that are the same in all lanes and ten that are not, the latter read first.
TEST(Budget, AffineValuesAreSpilledFirstWhenAskedFor) {
  MachineBuilder b;
  std::vector<Operand> uniform, generic;
  const Operand tid = b.pair();
  const Operand lane = b.word();
  b.emit(Opcode::s2r, DataType::u32, {lane}, {}).modifiers.special = isa::SpecialRegister::laneid;
  b.emit(Opcode::mul_wide, DataType::u32, {tid}, {lane, b.number(4)});
  for (u32 i = 0; i < 10; ++i) {
    uniform.push_back(b.word());
    generic.push_back(b.word());
    b.emit(Opcode::ld, DataType::u32, {uniform[i]}, {}).modifiers.space = isa::Space::global;
    b.emit(Opcode::ld, DataType::u32, {generic[i]}, {tid}).modifiers.space = isa::Space::global;
  }
  wall(b);
  for (const Operand& value : uniform) b.store(value);
  for (const Operand& value : generic) b.store(value);
  b.exit();
  const auto uniformSpills = [&](SpillPolicy policy) {
    const auto allocated = allocateWithin(b.function, {{14, 7}, policy});
    EXPECT_EQ(problemsOf(allocated->scheduled, allocated->code, {14, 7}), "");
    u32 result = 0;
    for (u32 i = 0; i + 1 < allocated->code.code.size(); ++i)
      result += allocated->code.code[i].sources[0].kind == Operand::Kind::none && allocated->code.code[i].opcode == Opcode::ld &&
                allocated->code.code[i].role == Role::own && allocated->code.code[i + 1].role == Role::store;
    return result;
  };
  EXPECT_EQ(uniformSpills(SpillPolicy::standard), 0u) << "they are read soon";
  EXPECT_GE(uniformSpills(SpillPolicy::affineFirst), 6u);
}

TEST(Budget, WhatOneInstructionReadsMustFit) {
  MachineBuilder vector;
  const Operand quad = vector.vector(4);
  vector.emit(Opcode::ld, DataType::u32, {quad}, {}).vector = 4;
  vector.store(quad, DataType::u32, 4);
  vector.exit();
  numberInstructions(vector.function);
  EXPECT_TRUE(allocateWithin(vector.function, budgetOf(4)));
  EXPECT_FALSE(allocateWithin(vector.function, budgetOf(3)));
}

TEST(Budget, RandomCodePassesTheVerifierWithEveryBudget) {
  for (u32 seed = 0; seed < 10; ++seed) {
    MachineBuilder b;
    RandomCode(seed).fill(b);
    numberInstructions(b.function);
    bool fits = true;
    for (u32 registers = 40; registers > 0; --registers) {
      const auto allocated = allocateWithin(b.function, budgetOf(registers, 2 + seed % 6));
      ASSERT_TRUE(fits || !allocated) << "seed " << seed << ": " << registers << " registers are enough, one more is not";
      fits = allocated.has_value();
      if (!allocated) continue;
      ASSERT_EQ(problemsOf(allocated->scheduled, allocated->code, {registers, 2 + seed % 6}), "") << "seed " << seed << ", " << registers;
    }
  }
}

// Words that some instruction needs at once: what it reads, the old value of what it writes in some lanes only with it, or what it writes.
u32 largestInstruction(const MachineFunction& function) {
  std::size_t largest = 0;
  for (const MachineInstruction& instruction : function.code) {
    std::set<u32> reads, writes;
    const auto collect = [&](std::set<u32>& set) {
      return [&](u32 unit) {
        if (unit < function.words()) set.insert(unit);
      };
    };
    forEachSourceUnit(function, instruction, collect(reads));
    forEachDestinationUnit(function, instruction, collect(writes));
    if (!isAlwaysExecuted(instruction)) reads.insert(writes.begin(), writes.end());
    largest = std::max({largest, reads.size(), writes.size()});
  }
  return static_cast<u32>(largest);
}

TEST(Budget, TheLeastNumberIsThatOfTheLargestInstruction) {
  for (u32 seed = 0; seed < 50; ++seed) {
    MachineBuilder b;
    RandomCode(seed).fill(b, true);
    numberInstructions(b.function);
    const u32 largest = largestInstruction(b.function);
    EXPECT_TRUE(allocateWithin(b.function, budgetOf(largest))) << "seed " << seed << ", " << largest << " registers";
    EXPECT_FALSE(allocateWithin(b.function, budgetOf(largest - 1))) << "seed " << seed << ", one register less";
  }
}

}  // namespace
}  // namespace warpwright::compiler
