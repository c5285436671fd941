#include <gtest/gtest.h>

#include "base/error.hpp"
#include "isa/address_space.hpp"
#include "unit/exec/assembler.hpp"

namespace warpwright::testing {
namespace {

using isa::Space;
using isa::SymbolAddress;

isa::Variable variable(const std::string& name, Space space, u64 size) {
  isa::Variable v;
  v.name = name;
  v.space = space;
  v.size = size;
  v.alignment = 8;
  return v;
}

struct Loader : ::testing::Test {
  exec::GlobalMemory memory{{64, u64{1} << 20, false}};
  isa::Program program;

  void SetUp() override {
    Assembler a;
    a.exit();
    a.function("first");
    a.emit(Opcode::mov, DataType::u64, {R(2)}, {imm(0)});
    a.load(Space::global, DataType::u32, 4, {});
    a.exit();
    a.function("second");
    program = a.program;
    program.variables = {variable("numbers", Space::global, 16), variable("pointers", Space::global, 24),
                         variable("fixed", Space::constant, 8)};
    program.variables[0].image = {1, 2, 3};
    program.variables[2].constantOffset = 8;
    program.constantBytes = 16;
  }
};

TEST_F(Loader, VariablesAreInitialisedAndZeroFilled) {
  const auto loaded = exec::load(program, memory);
  const auto* bytes = reinterpret_cast<const u8*>(exec::GlobalMemory::hostPointer(loaded->variableAddresses[0]));
  EXPECT_EQ(bytes[2], 3);
  EXPECT_EQ(bytes[3], 0);
  EXPECT_EQ(bytes[15], 0);
  EXPECT_EQ(loaded->variableAddresses[2], loaded->constantBase + 8);
  EXPECT_EQ(memory.find(loaded->variableAddresses[0], 16)->label, "numbers");
  exec::unload(*loaded, memory);
  EXPECT_EQ(memory.used(), 0u);
}

TEST_F(Loader, RelocationsInDataAndCode) {
  program.variables[1].relocations = {
      {0, 8, 0, {SymbolAddress::Kind::variable, 0, true, 4}},
      {8, 4, 0, {SymbolAddress::Kind::variable, 2, true, 0}},
      {12, 4, 0, {SymbolAddress::Kind::variable, 2, false, 0}},
      {16, 8, 0, {SymbolAddress::Kind::function, 1, true, 0}},
  };
  program.relocations = {{Pc{1}, 0, {SymbolAddress::Kind::function, 0, true, 0}},
                         {Pc{2}, isa::CodeRelocation::kOffsetOperand, {SymbolAddress::Kind::variable, 0, false, 8}}};
  const auto loaded = exec::load(program, memory);
  const u64 at = loaded->variableAddresses[1];
  EXPECT_EQ(*reinterpret_cast<u64*>(at), loaded->variableAddresses[0] + 4);
  EXPECT_EQ(*reinterpret_cast<u32*>(at + 8), isa::kConstantWindow + 8);
  EXPECT_EQ(*reinterpret_cast<u32*>(at + 12), 8u);
  EXPECT_EQ(*reinterpret_cast<u64*>(at + 16), isa::kCodeWindow + 1 * isa::kInstructionBytes);
  EXPECT_EQ(loaded->program.code[1].sources[0].value, isa::kCodeWindow);
  EXPECT_EQ(static_cast<u64>(loaded->program.code[2].offset), loaded->variableAddresses[0] + 8);
}

TEST_F(Loader, BytesOfAnAddressAreTakenByShift) {
  program.variables[1].relocations = {{0, 1, 8, {SymbolAddress::Kind::variable, 2, true, 0x1200}}};
  const auto loaded = exec::load(program, memory);
  EXPECT_EQ(static_cast<u8>(*exec::GlobalMemory::hostPointer(loaded->variableAddresses[1])), 0x12);
}

TEST_F(Loader, ExternalVariablesAreResolvedOrRefused) {
  program.variables[0].external = true;
  EXPECT_THROW(exec::load(program, memory), Error);
  EXPECT_EQ(memory.used(), 0u);  // nothing is left behind
  const auto loaded =
      exec::load(program, memory, [](const std::string& name) { return name == "numbers" ? std::optional<u64>(4096) : std::nullopt; });
  EXPECT_EQ(loaded->variableAddresses[0], 4096u);
}

TEST_F(Loader, TooLargeVariablesAreRefused) {
  program.variables[0].size = u64{1} << 30;
  EXPECT_THROW(exec::load(program, memory), Error);
  EXPECT_EQ(memory.used(), 0u);
}

}  // namespace
}  // namespace warpwright::testing
