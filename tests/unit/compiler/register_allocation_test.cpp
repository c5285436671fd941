#include "compiler/register_allocation.hpp"

#include <gtest/gtest.h>

#include <random>

#include "base/error.hpp"
#include "compiler/verify_allocation.hpp"
#include "machine_builder.hpp"

namespace warpwright::compiler {
namespace {

using isa::DataType;
using isa::Opcode;
using isa::Operand;

TEST(RegisterAllocation, ValuesThatDoNotMeetShareARegister) {
  MachineBuilder b;
  for (u32 i = 0; i < 100; ++i) {
    const Operand x = b.word();
    b.move(x, b.number(i));
    b.store(x);
  }
  b.exit();
  EXPECT_EQ(allocateRegisters(b.function, 255).registers, 1u);
}

TEST(RegisterAllocation, PairsAreAligned) {
  MachineBuilder b;
  const Operand single = b.word(), wide = b.pair();
  b.move(single, b.number(1));
  b.emit(Opcode::mov, DataType::u64, {wide}, {b.number(2)});
  b.store(single);
  b.store(wide, DataType::u64);
  b.exit();
  const Allocation allocation = allocateRegisters(b.function, 255);
  EXPECT_EQ(allocation.home[wide.index] % 2, 0u);
  EXPECT_EQ(allocation.home[wide.index + 1], allocation.home[wide.index] + 1);
}

TEST(RegisterAllocation, VectorElementsNeedNoCopies) {
  MachineBuilder b;
  const Operand group = b.vector(4);
  std::vector<Operand> elements;
  for (u32 i = 0; i < 4; ++i) elements.push_back(b.word());
  for (u32 i = 0; i < 4; ++i) b.move(elements[i], b.number(i));
  for (u32 i = 0; i < 4; ++i) b.move(Operand::makeRegister(group.index + i), elements[i]);
  b.store(group, DataType::u32, 4);
  b.exit();
  const Allocation allocation = allocateRegisters(b.function, 255);
  EXPECT_EQ(allocation.home[group.index] % 4, 0u);
  applyAllocation(b.function, allocation);
  EXPECT_EQ(b.function.code.size(), 6u) << "four moves of constants, the store, the exit";
}

TEST(RegisterAllocation, TheStackPointerIsReserved) {
  MachineBuilder b;
  b.function.usesStack = true;
  std::vector<Operand> values;
  for (u32 i = 0; i < 8; ++i) values.push_back(b.word());
  for (u32 i = 0; i < 8; ++i) b.move(values[i], b.number(i));
  for (const Operand& value : values) b.store(value);
  b.exit();
  const Allocation allocation = allocateRegisters(b.function, 255);
  for (const Operand& value : values) EXPECT_NE(allocation.home[value.index], isa::kStackRegister);
  EXPECT_EQ(allocation.registers, 9u);
}

TEST(RegisterAllocation, TooManyValuesAreOneClearError) {
  MachineBuilder b;
  std::vector<Operand> values;
  for (u32 i = 0; i < 40; ++i) values.push_back(b.word());
  for (u32 i = 0; i < 40; ++i) b.move(values[i], b.number(i));
  for (const Operand& value : values) b.store(value);
  b.exit();
  try {
    allocateRegisters(b.function, 32);
    FAIL() << "40 values do not fit in 32 registers";
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "kernel 'test' needs 40 registers, the limit is 32");
  }
}

TEST(VerifyAllocation, FindsARegisterThatTwoLiveValuesShare) {
  MachineBuilder b;
  const Operand x = b.word(), y = b.word();
  b.move(x, b.number(1));
  b.move(y, b.number(2));
  b.store(x);
  b.store(y);
  b.exit();
  Allocation allocation = allocateRegisters(b.function, 255);
  EXPECT_TRUE(verifyAllocation(b.function, allocation, 255).empty());
  allocation.home[y.index] = allocation.home[x.index];
  EXPECT_EQ(verifyAllocation(b.function, allocation, 255).size(), 1u);
}

TEST(VerifyAllocation, FindsTornAndUnalignedPairs) {
  MachineBuilder b;
  const Operand wide = b.pair();
  b.emit(Opcode::mov, DataType::u64, {wide}, {b.number(2)});
  b.store(wide, DataType::u64);
  b.exit();
  Allocation allocation = allocateRegisters(b.function, 255);
  allocation.home[wide.index] = 3;
  allocation.home[wide.index + 1] = 4;
  EXPECT_FALSE(verifyAllocation(b.function, allocation, 255).empty());
  allocation.home[wide.index] = 2;
  allocation.home[wide.index + 1] = 5;
  EXPECT_FALSE(verifyAllocation(b.function, allocation, 255).empty());
}

TEST(VerifyAllocation, FindsAValueLostOnlyInTheNextIteration) {
  MachineBuilder b;
  const Operand x = b.word(), y = b.word(), p = b.predicate();
  const u32 head = b.label();
  b.move(x, b.number(1));
  b.bind(head);
  b.store(x);
  b.move(y, b.number(2));
  b.store(y);
  b.compare(p, b.number(0), b.number(1));
  b.branchIf(p, head);
  b.exit();
  Allocation allocation = allocateRegisters(b.function, 255);
  EXPECT_TRUE(verifyAllocation(b.function, allocation, 255).empty());
  allocation.home[y.index] = allocation.home[x.index];
  EXPECT_FALSE(verifyAllocation(b.function, allocation, 255).empty());
}

// Random code over words, pairs, vectors and predicates, with copies, guards, branches forward and back.
class RandomCode {
 public:
  explicit RandomCode(u32 seed) : random_(seed) {}

  void fill(MachineBuilder& b) {
    for (u32 i = 0; i < 10; ++i) words_.push_back(b.word());
    for (u32 i = 0; i < 5; ++i) pairs_.push_back(b.pair());
    for (u32 i = 0; i < 4; ++i) predicates_.push_back(b.predicate());
    std::vector<u32> labels;
    for (u32 i = 0; i < 6; ++i) labels.push_back(b.label());
    for (u32 i = 0; i < 60; ++i) {
      if (i % 10 == 5) b.bind(labels[i / 10]);
      step(b, labels);
    }
    b.exit();
  }

 private:
  template <class T>
  const T& pick(const std::vector<T>& list) {
    return list[random_() % list.size()];
  }

  void step(MachineBuilder& b, const std::vector<u32>& labels) {
    const bool guarded = random_() % 4 == 0;
    const auto guard = [&](MachineInstruction& instruction) {
      if (guarded) instruction.guard = pick(predicates_);
    };
    switch (random_() % 8) {
      case 0:
        return guard(b.add(pick(words_), pick(words_), pick(words_)));
      case 1:
        return guard(b.move(pick(words_), pick(words_)));
      case 2:
        return guard(b.emit(Opcode::add, DataType::u64, {pick(pairs_)}, {pick(pairs_), pick(pairs_)}));
      case 3:
        return guard(b.move(pick(words_), Operand::makeRegister(pick(pairs_).index + random_() % 2)));
      case 4:
        return guard(b.compare(pick(predicates_), pick(words_), pick(words_)));
      case 5: {
        const Operand group = b.vector(4);
        for (u32 w = 0; w < 4; ++w) b.move(Operand::makeRegister(group.index + w), pick(words_));
        b.store(group, DataType::u32, 4);
        return;
      }
      case 6:
        b.branchIf(pick(predicates_), pick(labels));
        return;
      default:
        return guard(b.store(pick(words_)));
    }
  }

  std::mt19937 random_;
  std::vector<Operand> words_, pairs_, predicates_;
};

TEST(RegisterAllocation, RandomCodePassesTheVerifier) {
  for (u32 seed = 0; seed < 300; ++seed) {
    MachineBuilder b;
    RandomCode(seed).fill(b);
    const Allocation allocation = allocateRegisters(b.function, 255);
    const std::vector<std::string> problems = verifyAllocation(b.function, allocation, 255);
    ASSERT_TRUE(problems.empty()) << "seed " << seed << ": " << problems[0];
  }
}

TEST(RegisterAllocation, TheSameCodeGetsTheSameRegisters) {
  MachineBuilder first, second;
  RandomCode(7).fill(first);
  RandomCode(7).fill(second);
  EXPECT_EQ(allocateRegisters(first.function, 255).home, allocateRegisters(second.function, 255).home);
}

}  // namespace
}  // namespace warpwright::compiler
