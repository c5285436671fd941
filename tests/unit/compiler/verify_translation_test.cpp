#include "compiler/registers/verify_translation.hpp"

#include <gtest/gtest.h>

#include "compiler/register_allocation.hpp"
#include "compiler/registers/budget.hpp"
#include "machine_builder.hpp"

namespace warpwright::compiler {
namespace {

using isa::DataType;
using isa::Opcode;
using isa::Operand;

constexpr RegisterLimits kLimits{32, 7};

// The function with `home` for its units.
MachineFunction withHomes(const MachineFunction& function, std::vector<u32> home) {
  MachineFunction result = function;
  applyAllocation(result, {std::move(home), 0, 0});
  return result;
}

std::vector<u32> goodHomes(const MachineFunction& function) { return allocateRegisters(function, 255).home; }

TEST(VerifyTranslation, FindsARegisterThatTwoLiveValuesShare) {
  MachineBuilder b;
  const Operand x = b.word(), y = b.word();
  b.move(x, b.number(1));
  b.move(y, b.number(2));
  b.store(x);
  b.store(y);
  b.exit();
  numberInstructions(b.function);
  std::vector<u32> home = goodHomes(b.function);
  EXPECT_TRUE(verifyTranslation(b.function, withHomes(b.function, home), kLimits).empty());
  home[y.index] = home[x.index];
  EXPECT_EQ(verifyTranslation(b.function, withHomes(b.function, home), kLimits).size(), 1u);
}

TEST(VerifyTranslation, CopiesMayShareARegister) {
  MachineBuilder b;
  const Operand x = b.word(), y = b.word();
  b.move(x, b.number(1));
  b.move(y, x);
  b.store(x);
  b.store(y);
  b.exit();
  numberInstructions(b.function);
  std::vector<u32> home(b.function.units(), 3);
  EXPECT_TRUE(verifyTranslation(b.function, withHomes(b.function, home), kLimits).empty());
}

TEST(VerifyTranslation, FindsUnalignedPairsAndRegistersAboveTheLimit) {
  MachineBuilder b;
  const Operand wide = b.pair();
  b.emit(Opcode::mov, DataType::u64, {wide}, {b.number(2)});
  b.store(wide, DataType::u64);
  b.exit();
  numberInstructions(b.function);
  EXPECT_FALSE(verifyTranslation(b.function, withHomes(b.function, {0, 3, 4}), kLimits).empty());
  EXPECT_TRUE(verifyTranslation(b.function, withHomes(b.function, {0, 2, 3}), kLimits).empty());
  EXPECT_FALSE(verifyTranslation(b.function, withHomes(b.function, {0, 32, 33}), kLimits).empty());
}

TEST(VerifyTranslation, FindsAValueLostOnlyInTheNextIteration) {
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
  numberInstructions(b.function);
  std::vector<u32> home = goodHomes(b.function);
  EXPECT_TRUE(verifyTranslation(b.function, withHomes(b.function, home), kLimits).empty());
  home[y.index] = home[x.index];
  EXPECT_FALSE(verifyTranslation(b.function, withHomes(b.function, home), kLimits).empty());
}

TEST(VerifyTranslation, FindsAGuardedWriteThatLeavesAnotherValueInSomeLanes) {
  MachineBuilder b;
  const Operand x = b.word(), y = b.word(), p = b.predicate();
  b.move(x, b.number(1));
  b.compare(p, x, b.number(1));
  b.move(y, b.number(2));
  b.move(x, b.number(3)).guard = p;
  b.store(x);
  b.store(y);
  b.exit();
  numberInstructions(b.function);
  MachineFunction after = withHomes(b.function, goodHomes(b.function));
  EXPECT_TRUE(verifyTranslation(b.function, after, kLimits).empty());
  // The guarded write and the read behind it move to a register of their own.
  after.code[3].destinations[0].index = after.code[4].sources[1].index = 9;
  EXPECT_FALSE(verifyTranslation(b.function, after, kLimits).empty());
}

TEST(VerifyTranslation, FindsASpillSlotThatIsNotFilled) {
  MachineBuilder b;
  std::vector<Operand> values;
  for (u32 i = 0; i < 4; ++i) values.push_back(b.word());
  for (const Operand& value : values) b.emit(Opcode::ld, DataType::u32, {value}, {});
  for (const Operand& value : values) b.store(value);
  b.exit();
  numberInstructions(b.function);
  const auto allocated = allocateWithin(b.function, {{2, 7}, SpillPolicy::standard});
  ASSERT_TRUE(allocated);
  EXPECT_TRUE(verifyTranslation(allocated->scheduled, allocated->code, {2, 7}).empty());
  MachineFunction broken = allocated->code;
  std::erase_if(broken.code, [](const MachineInstruction& instruction) { return instruction.role == Role::store; });
  EXPECT_FALSE(verifyTranslation(allocated->scheduled, broken, {2, 7}).empty());
  broken = allocated->code;
  for (MachineInstruction& instruction : broken.code)
    if (instruction.role == Role::reload) instruction.offset += 4;
  EXPECT_FALSE(verifyTranslation(allocated->scheduled, broken, {2, 7}).empty());
}

TEST(VerifyTranslation, FindsChangedConstantsAndLostInstructions) {
  MachineBuilder b;
  const Operand x = b.word();
  b.move(x, b.number(1));
  b.store(x);
  b.exit();
  numberInstructions(b.function);
  MachineFunction after = withHomes(b.function, goodHomes(b.function));
  after.code[0].sources[0] = b.number(2);
  EXPECT_FALSE(verifyTranslation(b.function, after, kLimits).empty());
  after = withHomes(b.function, goodHomes(b.function));
  after.code.erase(after.code.begin() + 1);
  EXPECT_FALSE(verifyTranslation(b.function, after, kLimits).empty());
}

}  // namespace
}  // namespace warpwright::compiler
