#include "compiler/register_report.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "compiler/register_bounds.hpp"
#include "ptx/parser.hpp"

namespace warpwright::compiler {
namespace {

ptx::Module parse(const std::string& body, const std::string& directives = "") {
  return ptx::parse(
      ".version 7.0\n.target sm_70\n.address_size 32\n.visible .entry k(.param .u32 p) " + directives + "\n{\n" + body + "\n}\n",
      "test.ptx");
}

// 20 values are read before a barrier and written after it.
std::string twentyValues() {
  std::string body = ".reg .b32 %r<20>;\n";
  for (u32 i = 0; i < 20; ++i) body += fmt::format("ld.shared.u32 %r{}, [{}];\n", i, 4 * i);
  body += "bar.sync 0;\n";
  for (u32 i = 0; i < 20; ++i) body += fmt::format("st.shared.u32 [{}], %r{};\n", 4 * i, 19 - i);
  return body + "ret;";
}

TEST(RegisterReport, BaseIsTheNumberOfLiveValues) {
  const std::vector<KernelRegisters> report = reportRegisters(parse(twentyValues()));
  ASSERT_EQ(report.size(), 1u);
  EXPECT_EQ(report[0].name, "k");
  EXPECT_EQ(report[0].base, 20u);
  EXPECT_EQ(report[0].minimum, 1u);
  EXPECT_GE(report[0].standard, 20u);
}

TEST(RegisterReport, EachRegisterLessIsOneSlotOneStoreAndOneLoadMore) {
  const KernelRegisters kernel = reportRegisters(parse(twentyValues()))[0];
  for (const RegisterPoint& point : kernel.points) {
    const u32 missing = point.limit < 20 ? 20 - point.limit : 0;
    EXPECT_EQ(point.spillSlots, missing) << point.limit;
    EXPECT_EQ(point.loads, missing) << point.limit;
    EXPECT_EQ(point.stores, missing) << point.limit;
  }
}

TEST(RegisterReport, WhatTheMachineKeepsForItselfCounts) {
  Options options;
  options.programCounterRegisters = 2;
  EXPECT_EQ(reportRegisters(parse(twentyValues()), options)[0].base, 22u);
  EXPECT_EQ(reportRegisters(parse(twentyValues()), options)[0].minimum, 3u);
  options.keepsStackPointer = true;
  EXPECT_EQ(reportRegisters(parse(twentyValues()), options)[0].base, 23u);
  options.maxRegisters = 22;
  const isa::Program program = compile(parse(twentyValues()), options);
  EXPECT_LE(program.functions[0].registers, 22u);
  EXPECT_EQ(program.functions[0].spillSlots, 1u) << "19 registers for 20 values";
}

TEST(RegisterReport, AnEmptyKernelTakesWhatTheMachineKeeps) {
  Options options;
  options.programCounterRegisters = 2;
  options.keepsStackPointer = true;
  EXPECT_EQ(reportRegisters(parse("ret;"), options)[0].standard, 4u) << "as ptxas says for sm_75";
}

TEST(RegisterBounds, TheLeastOfAllHolds) {
  Options options;
  options.registersPerSm = 65536;
  options.registerAllocationUnit = 256;
  const auto boundOf = [&](const std::string& directives) {
    const ptx::Module module = parse("ret;", directives);
    return registerBounds(module, buildCallGraph(module), options)[0];
  };
  EXPECT_EQ(boundOf(""), 255u);
  EXPECT_EQ(boundOf(".maxnreg 40"), 40u);
  EXPECT_EQ(boundOf(".maxntid 1024, 1, 1"), 64u) << "65536 registers for 32 warps of 32 threads";
  EXPECT_EQ(boundOf(".maxntid 256, 1, 1 .minnctapersm 8"), 32u);
  EXPECT_EQ(boundOf(".maxntid 192, 1, 1 .minnctapersm 5"), 64u) << "65536 / 30 warps = 2184, down to a multiple of 256: 2048";
  EXPECT_EQ(boundOf(".maxnreg 24 .maxntid 1024, 1, 1"), 24u);
  EXPECT_EQ(boundOf(".maxnreg 100 .maxntid 1024, 1, 1"), 64u);
  options.maxRegisters = 24;
  EXPECT_EQ(boundOf(".maxnreg 40"), 24u);
}

// The numbers of registers that ptxas of CUDA 13 gives a kernel with 230 live values, for sm_75.
TEST(RegisterBounds, LaunchBoundsAreSharedOutAsByPtxas) {
  Options options;
  options.registersPerSm = 65536;
  options.registerAllocationUnit = 256;
  options.schedulersPerSm = 4;
  options.warpsPerSm = 32;
  options.blocksPerSm = 16;
  const auto boundOf = [&](u32 threads, u32 blocks) {
    const ptx::Module module = parse("ret;", fmt::format(".maxntid {} .minnctapersm {}", threads, blocks));
    return registerBounds(module, buildCallGraph(module), options)[0];
  };
  EXPECT_EQ(boundOf(96, 7), 80u) << "21 warps: six on one scheduler";
  EXPECT_EQ(boundOf(96, 10), 64u);
  EXPECT_EQ(boundOf(64, 9), 96u);
  EXPECT_EQ(boundOf(160, 3), 128u);
  EXPECT_EQ(boundOf(128, 3), 168u);
  EXPECT_EQ(boundOf(288, 3), 72u);
  EXPECT_EQ(boundOf(1024, 2), 64u) << "64 warps are more than an SM holds: .minnctapersm is ignored";
  EXPECT_EQ(boundOf(32, 17), 255u) << "17 blocks are";
  EXPECT_EQ(boundOf(2048, 1), 255u) << "no launch has such blocks";
}

// Code may name what setmaxnreg.inc gives; blocks begin with what the launch bounds give.
TEST(RegisterBounds, SetmaxnregRaisesThemWhileTheKernelRuns) {
  Options options;
  options.registersPerSm = 65536;
  options.registerAllocationUnit = 256;
  const auto boundOf = [&](const std::string& body) {
    const ptx::Module module = parse(body, ".maxntid 384, 1, 1");
    return registerBounds(module, buildCallGraph(module), options)[0];
  };
  EXPECT_EQ(boundOf("ret;"), 168u);
  EXPECT_EQ(boundOf("setmaxnreg.dec.sync.aligned.u32 40; ret;"), 168u);
  EXPECT_EQ(boundOf("setmaxnreg.inc.sync.aligned.u32 232; setmaxnreg.inc.sync.aligned.u32 240; ret;"), 240u);
  EXPECT_EQ(boundOf("setmaxnreg.inc.sync.aligned.u32 256; ret;"), 255u);
  isa::Program program;
  program.functions.resize(1);
  program.functions[0].registers = 230;
  boundLaunches(parse("setmaxnreg.inc.sync.aligned.u32 240; ret;", ".maxntid 384, 1, 1"), options, program);
  EXPECT_EQ(program.functions[0].registers, 168u);
}

TEST(RegisterBounds, SetmaxnregTakesMultiplesOfEightFrom24To256) {
  for (const char* count : {"24", "256", "168"})
    EXPECT_NO_THROW(compile(parse(fmt::format("setmaxnreg.dec.sync.aligned.u32 {}; ret;", count))));
  for (const char* count : {"16", "264", "100", "0"})
    EXPECT_THROW(compile(parse(fmt::format("setmaxnreg.dec.sync.aligned.u32 {}; ret;", count))), Error) << count;
}

TEST(RegisterBounds, WhatAKernelCallsIsBoundWithIt) {
  const ptx::Module module = ptx::parse(R"(.version 7.0
.target sm_70
.address_size 64
.func shared() { ret; }
.func own() { ret; }
.visible .entry tight() .maxnreg 16 { call shared; ret; }
.visible .entry roomy() { call shared; call own; ret; }
)",
                                        "test.ptx");
  EXPECT_EQ(registerBounds(module, buildCallGraph(module), {}), (std::vector<u32>{16, 255, 16, 255}));
}

}  // namespace
}  // namespace warpwright::compiler
