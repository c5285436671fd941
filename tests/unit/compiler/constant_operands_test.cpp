// Loads of constant memory at addresses that are known when the module is compiled.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "compiler/compiler.hpp"
#include "isa/launch_constants.hpp"
#include "ptx/parser.hpp"

namespace warpwright::compiler {
namespace {

// The table begins at byte 16 of constant memory, which ends at byte 96.
isa::Program compileBody(const std::string& body, const std::string& variables = "") {
  const std::string text =
      ".version 7.0\n.target sm_70\n.address_size 64\n.const .align 4 .b8 other[12];\n.const .align 16 .b8 table[80];\n" + variables +
      ".visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<8>; .reg .f32 %f<8>; .reg .b64 %d<8>; .reg .pred %q;\n" +
      "ld.param.u64 %d0, [p];\nld.global.u32 %r0, [%d0];\n" + body + "ret;\n}\n";
  return compile(ptx::parse(text, "test.ptx"));
}

// Where in constant memory the operands of instructions lie, in their order.
std::vector<u64> places(const isa::Program& program) {
  std::vector<u64> result;
  for (const isa::Instruction& instruction : program.code)
    for (const isa::Operand& operand : instruction.sources)
      if (operand.kind == isa::Operand::Kind::param)
        if (const auto place = isa::moduleConstantAt(operand.value)) result.push_back(*place);
  return result;
}

std::ptrdiff_t loads(const isa::Program& program) {
  return std::ranges::count_if(program.code, [](const isa::Instruction& instruction) {
    return instruction.opcode == isa::Opcode::ld && instruction.modifiers.space == isa::Space::constant;
  });
}

std::ptrdiff_t count(const isa::Program& program, isa::Opcode opcode) {
  return std::ranges::count(program.code, opcode, &isa::Instruction::opcode);
}

TEST(ConstantOperands, AKnownAddressIsAnOperand) {
  const isa::Program program = compileBody("ld.const.u32 %r1, [table+8];\nadd.u32 %r2, %r0, %r1;\nst.global.u32 [%d0], %r2;\n");
  EXPECT_EQ(places(program), (std::vector<u64>{24}));
  EXPECT_EQ(loads(program), 0);
  EXPECT_EQ(count(program, isa::Opcode::mov), 0);
  EXPECT_TRUE(program.relocations.empty());
}

TEST(ConstantOperands, SoIsTheAddressInARegister) {
  const isa::Program program = compileBody(
      "mov.u64 %d1, table;\nadd.u64 %d2, %d1, 16;\nld.const.u64 %d3, [%d2+8];\nst.global.u64 [%d3], %d0;\n"
      "ld.const.f32 %f1, [%d2+20];\nadd.f32 %f2, %f1, %f1;\nst.global.f32 [%d0], %f2;\n");
  EXPECT_EQ(loads(program), 0);
  std::vector<u64> found = places(program);
  std::ranges::sort(found);
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.front(), 40u) << "a pointer";
  EXPECT_EQ(found.back(), 52u);
}

TEST(ConstantOperands, EachIterationOfACountedLoopHasItsOwn) {
  const isa::Program program = compileBody(R"(
mov.u32 %r1, 0;
mov.u64 %d1, table;
mov.f32 %f0, 0f00000000;
again:
ld.const.f32 %f1, [%d1];
ld.global.f32 %f2, [%d0];
fma.rn.f32 %f0, %f1, %f2, %f0;
add.u64 %d1, %d1, 4;
add.u64 %d0, %d0, 4;
add.u32 %r1, %r1, 1;
setp.ne.u32 %q, %r1, 4;
@%q bra again;
st.global.f32 [%d0], %f0;
)");
  EXPECT_EQ(places(program), (std::vector<u64>{16, 20, 24, 28}));
  EXPECT_EQ(loads(program), 0);
}

TEST(ConstantOperands, OneInstructionHasOne) {
  const isa::Program program =
      compileBody("ld.const.u32 %r1, [table];\nld.const.u32 %r2, [table+4];\nadd.u32 %r3, %r1, %r2;\nst.global.u32 [%d0], %r3;\n");
  EXPECT_EQ(places(program).size(), 2u);
  EXPECT_EQ(count(program, isa::Opcode::mov), 1);
}

TEST(ConstantOperands, OthersStayLoads) {
  const auto stays = [](const std::string& load) {
    const isa::Program program = compileBody(load + "st.global.u32 [%d0], %r1;\n");
    return loads(program) == 1 && places(program).empty();
  };
  EXPECT_TRUE(stays("ld.const.u8 %r1, [table];\n")) << "narrow";
  EXPECT_TRUE(stays("ld.const.v2.u32 {%r1, %r2}, [table];\nst.global.u32 [%d0+4], %r2;\n")) << "a vector";
  EXPECT_TRUE(stays("ld.const.u32 %r1, [table+80];\n")) << "beyond the end";
  EXPECT_TRUE(stays("ld.const.u32 %r1, [table+-20];\n")) << "before the beginning";
  EXPECT_TRUE(stays("ld.const.u32 %r1, [table+2];\n")) << "not aligned";
  EXPECT_TRUE(stays("mul.wide.u32 %d1, %r0, 4;\nmov.u64 %d2, table;\nadd.u64 %d1, %d1, %d2;\nld.const.u32 %r1, [%d1];\n")) << "an index";
}

TEST(ConstantOperands, VariablesOfOtherModulesStaySymbols) {
  const isa::Program program = compileBody("ld.const.u32 %r1, [far];\nst.global.u32 [%d0], %r1;\n", ".extern .const .align 4 .u32 far;\n");
  EXPECT_EQ(loads(program), 1);
  ASSERT_EQ(program.relocations.size(), 1u);
  EXPECT_EQ(program.variables[program.relocations[0].symbol.index].name, "far");
}

}  // namespace
}  // namespace warpwright::compiler
