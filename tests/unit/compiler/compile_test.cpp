// The whole room from PTX text to a program.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "base/error.hpp"
#include "compiler/compiler.hpp"
#include "ptx/parser.hpp"

namespace warpwright::compiler {
namespace {

isa::Program compileKernel(const std::string& body, const Options& options = {}) {
  const std::string head = ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n";
  return compile(ptx::parse(head + body + "\n}\n", "test.ptx"), options);
}

// 64 values are alive at once, and one address: 66 registers.
std::string manyLiveValues() {
  std::string body = ".reg .b32 %r<64>; .reg .b64 %rd;\nld.param.u64 %rd, [p];\nld.global.u64 %rd, [%rd];\n";
  for (u32 i = 0; i < 64; ++i) body += fmt::format("ld.global.u32 %r{}, [%rd+{}];\n", i, 4 * i);
  body += "bar.sync 0;\n";
  for (u32 i = 0; i < 64; ++i) body += fmt::format("st.global.u32 [%rd+{}], %r{};\n", 4 * i, 63 - i);
  return body;
}

u32 spills(const isa::Program& program, isa::Opcode opcode) {
  u32 result = 0;
  for (const isa::Instruction& instruction : program.code) result += instruction.spill && instruction.opcode == opcode;
  return result;
}

TEST(Compile, ValuesThatFindNoRegisterAreSpilled) {
  const isa::Program roomy = compileKernel(manyLiveValues());
  EXPECT_EQ(roomy.functions[0].registers, 66u);
  EXPECT_EQ(roomy.functions[0].spillSlots, 0u);
  const isa::Program tight = compileKernel(manyLiveValues(), {.maxRegisters = 32, .verify = true});
  EXPECT_LE(tight.functions[0].registers, 32u);
  // 30 registers are left beside the address.
  EXPECT_EQ(spills(tight, isa::Opcode::ld), 34u);
  EXPECT_EQ(spills(tight, isa::Opcode::st), 34u);
  EXPECT_EQ(tight.functions[0].spillSlots, 34u);
  EXPECT_EQ(tight.functions[0].frameBytes, 144u) << "34 words, up to a multiple of 16 bytes";
}

TEST(Compile, TheLeastNumberOfRegistersIsAClearError) {
  const isa::Program least = compileKernel(manyLiveValues(), {.maxRegisters = 3, .verify = true});
  EXPECT_EQ(least.functions[0].registers, 3u);
  try {
    compileKernel(manyLiveValues(), {.maxRegisters = 2});
    FAIL() << "an address and a value do not fit in 2 registers";
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "kernel 'k' cannot be compiled with 2 registers: it needs at least 3");
    EXPECT_FALSE(error.remedy().empty());
  }
}

// The widest product has 128 accumulators: a second place for them, or copies between products, would not do.
TEST(Compile, ProductsOfWarpGroupsUpdateTheirAccumulatorsInPlace) {
  constexpr u32 kSums = 128;
  std::string list,
      body = fmt::format(".reg .f32 %d<{}>; .reg .b32 %i; .reg .b64 %a, %rd; .reg .pred %q;\nld.param.u64 %rd, [p];\n", kSums);
  for (u32 i = 0; i < kSums; ++i) list += fmt::format("{}%d{}", i ? ", " : "", i);
  for (u32 i = 0; i < kSums; ++i) body += fmt::format("mov.f32 %d{}, 0f00000000;\n", i);
  body += "mov.u32 %i, 0;\nmov.u64 %a, 0x4000004000010000;\nloop:\nwgmma.fence.sync.aligned;\n";
  for (u32 step = 0; step < 4; ++step)
    body += fmt::format("wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 {{{}}}, %a, %a, 1, 1, 1, 0, 0;\nadd.u64 %a, %a, 2;\n", list);
  body +=
      "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\nadd.u32 %i, %i, 1;\nsetp.lt.u32 %q, %i, 100;\n@%q bra loop;\n";
  for (u32 i = 0; i < kSums; ++i) body += fmt::format("st.global.f32 [%rd+{}], %d{};\n", 4 * i, i);
  const isa::Program program = compileKernel(body, {.verify = true});
  EXPECT_LE(program.functions[0].registers, kSums + 16);
  EXPECT_EQ(program.functions[0].spillSlots, 0u);
  std::optional<u32> place;
  u32 products = 0, copies = 0;
  for (const isa::Instruction& instruction : program.code) {
    if (instruction.opcode == isa::Opcode::mov && instruction.sources[0].kind == isa::Operand::Kind::reg) ++copies;
    if (instruction.opcode != isa::Opcode::wgmma) continue;
    ++products;
    if (!place) place = instruction.destinations[0].index;
    EXPECT_EQ(instruction.destinations[0].index, *place);
  }
  EXPECT_GE(products, 4u);
  EXPECT_LT(copies, 8u);
}

// A result is read behind the wait alone: nothing that reads it may move before.
TEST(Compile, NothingMovesAcrossTheWaitForAProduct) {
  const isa::Program program = compileKernel(R"(.reg .f32 %d<4>, %s; .reg .b64 %a, %rd;
ld.param.u64 %rd, [p];
mov.u64 %a, 0x4000004000010000;
wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%d0, %d1, %d2, %d3}, %a, %a, 0, 1, 1, 0, 0;
wgmma.commit_group.sync.aligned;
wgmma.wait_group.sync.aligned 0;
add.f32 %s, %d0, %d1;
st.global.f32 [%rd], %s;)");
  const auto positionOf = [&](isa::Opcode opcode) {
    return std::ranges::find(program.code, opcode, &isa::Instruction::opcode) - program.code.begin();
  };
  EXPECT_LT(positionOf(isa::Opcode::wgmma_wait), positionOf(isa::Opcode::add));
}

TEST(Compile, AtMostSevenGroupsMayBePending) {
  EXPECT_NO_THROW(compileKernel("wgmma.wait_group.sync.aligned 7;"));
  EXPECT_THROW(compileKernel("wgmma.wait_group.sync.aligned 8;"), Error);
}

TEST(Compile, TheSamePtxGivesTheSameMachineCode) {
  const std::string body = R"(.reg .b32 %r<9>; .reg .b64 %rd; .reg .pred %q;
ld.param.u64 %rd, [p];
ld.global.v4.u32 {%r0, %r1, %r2, %r3}, [%rd];
LOOP: add.s32 %r4, %r0, %r1; setp.lt.s32 %q, %r4, %r3; mov.u32 %r0, %r4; @%q bra LOOP;
st.global.v2.u32 [%rd], {%r4, %r2}; ret;)";
  const isa::Program a = compileKernel(body), b = compileKernel(body);
  ASSERT_EQ(a.code.size(), b.code.size());
  for (size_t i = 0; i < a.code.size(); ++i) {
    EXPECT_EQ(a.code[i].opcode, b.code[i].opcode);
    EXPECT_EQ(a.code[i].destinations, b.code[i].destinations);
    EXPECT_EQ(a.code[i].sources, b.code[i].sources);
  }
}

TEST(Compile, EveryInstructionKnowsItsPtx) {
  const isa::Program program =
      compileKernel(".reg .b32 %r; .reg .b64 %rd; ld.param.u64 %rd, [p];\nld.global.u32 %r, [%rd];\nst.global.u32 [%rd+4], %r;\nret;");
  ASSERT_EQ(program.ptxOf.size(), program.code.size());
  for (size_t i = 0; i < program.code.size(); ++i) {
    ASSERT_LT(program.ptxOf[i], program.ptxText.size());
    EXPECT_GT(program.code[i].ptxLine, 0u);
  }
  EXPECT_NE(program.ptxText[program.ptxOf[0]].find("ld.global.u32"), std::string::npos);
}

// A loop of four iterations with a store each.
u32 storesOfLoop(const std::string& pragmaOfLoop) {
  const isa::Program program =
      compileKernel(".reg .b32 %r; .reg .b64 %rd; .reg .pred %q; ld.param.u64 %rd, [p]; mov.u32 %r, 0;\nLOOP: " + pragmaOfLoop +
                    " st.global.u32 [%rd], %r; add.s32 %r, %r, 1; setp.lt.s32 %q, %r, 4; @%q bra LOOP; ret;");
  return static_cast<u32>(std::count_if(program.code.begin(), program.code.end(),
                                        [](const isa::Instruction& instruction) { return instruction.opcode == isa::Opcode::st; }));
}

TEST(Compile, LoopsAreUnrolledUnlessAPragmaForbidsIt) {
  EXPECT_EQ(storesOfLoop(""), 4u);
  EXPECT_EQ(storesOfLoop(".pragma \"nounroll\";"), 1u);
}

}  // namespace
}  // namespace warpwright::compiler
