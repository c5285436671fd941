#include "sass/kernel_reader.hpp"

#include <gtest/gtest.h>

#include "unit/sass/trace_text.hpp"

namespace warpwright::sass {
namespace {

constexpr const char* kExit = "0010 ffffffff 0 EXIT 0 0";
constexpr const char* kAdd = "0000 ffffffff 1 R1 FADD 2 R1 R2 0";

std::shared_ptr<KernelTrace> traceOf(const std::string& text) {
  LineReader lines(textOf(text, "k.traceg"), "k.traceg");
  return readKernel(lines);
}

std::string problemOf(const std::string& text) {
  try {
    traceOf(text);
  } catch (const Error& error) {
    EXPECT_FALSE(error.remedy().empty());
    EXPECT_NE(error.where().line, 0u);
    return error.message();
  }
  return "";
}

TEST(SassReader, Header) {
  const auto trace = traceOf(traceText({kAdd, kExit}, {.block = "(16,2,1)", .shared = 96, .smVersion = 80}));
  EXPECT_EQ(trace->header.name, "k");
  EXPECT_EQ(trace->header.block, (Dim3{16, 2, 1}));
  EXPECT_EQ(trace->header.warps(), 1u);
  EXPECT_EQ(trace->header.sharedBytes, 96u);
  EXPECT_EQ(trace->header.registers, 16u);
  EXPECT_EQ(trace->header.sharedBase, 0x7f00'0000'0000u);
}

TEST(SassReader, Versions) {
  EXPECT_EQ(traceOf(traceText({"0 0 0 0 " + std::string(kExit)}, {.version = 2}))->steps.size(), 1u);
  EXPECT_EQ(traceOf(traceText({"12 " + std::string(kExit) + " 0"}, {.version = 5, .more = "-enable lineinfo = 1\n"}))->steps.size(), 1u);
  EXPECT_EQ(problemOf(traceText({kExit}, {.version = 6})), "a trace of version 6 of Accel-Sim's tracer");
  EXPECT_EQ(problemOf(traceText({kExit}, {.smVersion = 61})), "a trace of sm_61");
}

TEST(SassReader, BlocksInAnyOrder) {
  const HeaderText header{.grid = "(2,1,1)"};
  const auto trace = traceOf(header.text() + blockText("1,0,0", {{kAdd, kAdd, kExit}}) + blockText("0,0,0", {{kExit}}));
  EXPECT_EQ(trace->warpsOf(0)[0].end - trace->warpsOf(0)[0].begin, 1u);
  EXPECT_EQ(trace->warpsOf(1)[0].end - trace->warpsOf(1)[0].begin, 3u);
}

TEST(SassReader, Addresses) {
  const auto addressesOf = [](const std::string& line) {
    const auto trace = traceOf(traceText({line}));
    LaneAddresses addresses{};
    trace->addresses.expand(trace->steps[0].addresses, LaneMask(trace->steps[0].mask), addresses);
    return addresses;
  };
  const LaneAddresses listed = addressesOf("0000 80000003 1 R4 LDG.E 1 R2 4 0 0x1000 0x0800 0x2000");
  EXPECT_EQ(listed[0], 0x1000u);
  EXPECT_EQ(listed[1], 0x800u);
  EXPECT_EQ(listed[31], 0x2000u);
  const LaneAddresses strided = addressesOf("0000 000000f0 1 R4 LDG.E 1 R2 4 1 0x1000 -8");
  EXPECT_EQ(strided[4], 0x1000u);
  EXPECT_EQ(strided[7], 0xfe8u);
  const LaneAddresses apart = addressesOf("0000 00000105 1 R4 LDG.E 1 R2 4 2 0x1000 16 -4096");
  EXPECT_EQ(apart[2], 0x1010u);
  EXPECT_EQ(apart[8], 0x10u);
}

TEST(SassReader, OwnMemory) {
  const auto trace = traceOf(traceText({"0000 00000001 1 R4 LDL 1 R1 4 2 0xfffd24", "0010 00000001 0 STL.64 2 R1 R4 8 2 0xfffd38",
                                        "0020 00000001 1 R4 LD.E 1 R2 4 2 0x7f0000000040", "0030 00000001 1 R4 LDS 1 R2 4 2 0x100"}));
  EXPECT_EQ(trace->used.firstLocal(), 0xfffd20u);
  EXPECT_EQ(trace->used.localBytes(), 0x20u);
  EXPECT_EQ(trace->used.sharedEnd, 0x104u);
}

TEST(SassReader, OnePcOfSeveralFunctions) {
  const auto trace = traceOf(traceText({kAdd, "0000 ffffffff 1 R1 FMUL 2 R1 R2 0", kAdd, kExit}));
  EXPECT_EQ(trace->steps[0].code, trace->steps[2].code);
  const isa::Program program = programOf(*trace, "test", {});
  EXPECT_EQ(program.code.size(), 3u);
  EXPECT_EQ(program.code[trace->placeOf[trace->steps[1].code]].opcode, isa::Opcode::mul_lo);
}

TEST(SassReader, GapsInTheCode) {
  const auto trace = traceOf(traceText({"0100 ffffffff 1 R1 FADD 2 R1 R2 0", "0140 ffffffff 0 EXIT 0 0"}));
  const isa::Program program = programOf(*trace, "test", {});
  ASSERT_EQ(program.code.size(), 5u);
  EXPECT_EQ(program.code[0].opcode, isa::Opcode::add);
  EXPECT_EQ(program.code[1].opcode, isa::Opcode::nop);
  EXPECT_EQ(program.code[4].opcode, isa::Opcode::exit);
}

TEST(SassReader, CodeThatLiesTooFarApart) {
  const auto trace = traceOf(traceText({kAdd, "f0000000 ffffffff 0 EXIT 0 0"}));
  EXPECT_THROW(programOf(*trace, "test", {"k.traceg", 9, 0}), Error);
}

TEST(SassReader, WhatIsMissingOrTooMuch) {
  const HeaderText header;
  const std::string block = blockText("0,0,0", {{kAdd, kExit}});
  EXPECT_EQ(problemOf(header.text()), "the trace has 0 of the 1 blocks of the grid");
  EXPECT_EQ(problemOf(header.text() + block.substr(0, block.size() - 9)), "the trace ends within a block");
  EXPECT_EQ(problemOf(header.text() + block + block), "block (0,0,0) stands there twice");
  EXPECT_EQ(problemOf(header.text() + blockText("1,0,0", {{kExit}})), "block (1,0,0) of a grid of (1,1,1)");
  EXPECT_EQ(problemOf(header.text() + blockText("0,0,0", {{kExit}, {kExit}})), "warp 1 of a block that has 1");
  EXPECT_EQ(problemOf(header.text() + blockText("0,0,0", {{}})), "warp 0 has no instructions");
  EXPECT_EQ(problemOf(HeaderText{.block = "(64,1,1)"}.text() + block), "warp 1 of the block is missing");
  EXPECT_EQ(problemOf(header.text() + "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 2\n" + kExit + "\n#END_TB\n"),
            "warp 0 has 1 instructions, where its line 'insts' says 2");
  EXPECT_EQ(problemOf(header.text() + kExit), "'0010 ffffffff 0 EXIT 0 0' stands where a block or a warp should begin");
  EXPECT_EQ(problemOf("x"), "the header has no line '-kernel name = …'");
}

TEST(SassReader, LinesThatNoTracerWrites) {
  EXPECT_EQ(problemOf(traceText({"0000 ffffffff 1 R1 LDG.E 1 R2 0"})), "LDG.E has no addresses");
  EXPECT_EQ(problemOf(traceText({"0000 00000001 1 R1 LDG.E 1 R2 4 2 0x800000000000"})),
            "LDG.E at address 0x800000000000, which is outside its memory");
  EXPECT_EQ(problemOf(traceText({"0000 00000001 1 R1 LDS 1 R2 4 2 0x1000000"})), "LDS at address 0x1000000, which is outside its memory");
  EXPECT_EQ(problemOf(traceText({"0000 ffffffff 1 R1 LDG.E 1 R2 4 3 0x1000 1"})), "addresses in form 3");
  EXPECT_EQ(problemOf(traceText({"0000 ffffffff 1 R1 LDG.E 1 R2 4 2 0x1000 1 2 3"})),
            "the line ends before the difference of two addresses");
  EXPECT_EQ(problemOf(traceText({"0000 00000001 1 R1 LDG.E 1 R2 4 2 0x1000 1 2"})), "'2' behind the instruction");
  EXPECT_EQ(problemOf(traceText({"0008 ffffffff 0 EXIT 0 0"})), "an instruction at PC 0x8");
  EXPECT_EQ(problemOf(traceText({"0000 1ffffffff 0 EXIT 0 0"})), "'1ffffffff' where the mask of lanes is due");
}

TEST(SassReader, WhatHasNoAddressesIsCounted) {
  const auto trace = traceOf(
      traceText({"0000 ffffffff 1 R1 LDC 0 0", "0010 ffffffff 1 R4 TEX.SCR.LL 2 R2 R6 0", "0010 00000000 1 R4 TEX.SCR.LL 2 R2 R6 0"}));
  EXPECT_EQ(trace->withoutAddresses, (std::map<std::string, u64>{{"LDC", 1}, {"TEX.SCR.LL", 1}}));
}

}  // namespace
}  // namespace warpwright::sass
