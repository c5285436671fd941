// What surrounds functions and variables, and the messages for forms that are not supported.
#include "parse_helpers.hpp"

namespace warpwright::ptx {
namespace {

TEST(Module, Preamble) {
  const Module module = parse(".version 7.4\n.target sm_90a, debug\n.address_size 64\n", "x.ptx");
  EXPECT_EQ(module.sourceName, "x.ptx");
  EXPECT_EQ(module.versionMajor, 7u);
  EXPECT_EQ(module.versionMinor, 4u);
  EXPECT_EQ(module.target, "sm_90a");
  EXPECT_EQ(module.smVersion, 90u);
  EXPECT_EQ(module.addressBits, 64u);
  EXPECT_EQ(parse(".version 3.2 .target sm_20", "x").addressBits, 32u);
}

TEST(Module, EndsAtANul) {
  const std::string text = std::string(kPreamble) + ".global .u32 x;";
  EXPECT_EQ(parse(text + std::string("\0\0garbage {", 11), "x").variables.size(), 1u);
}

TEST(Module, SkipsSectionsAndPragmas) {
  const Module module = parseModule(
      ".pragma \"some\";\n.file 1 \"a.cu\", 1600000000, 77\n.section .debug_info { .b8 1, 2 \n { } $L: .b32 .debug_abbrev+4 }\n.global "
      ".u32 x;");
  EXPECT_EQ(module.variables.size(), 1u);
  EXPECT_EQ(module.files.at(1), "a.cu");
}

struct BadModule {
  const char* text;
  u32 line, column;
};
class ModuleErrors : public ::testing::TestWithParam<BadModule> {};
TEST_P(ModuleErrors, SayWhere) {
  const Error error = errorOf(GetParam().text);
  EXPECT_EQ(error.where().line, GetParam().line) << error.what();
  EXPECT_EQ(error.where().column, GetParam().column) << error.what();
}
INSTANTIATE_TEST_SUITE_P(
    All, ModuleErrors,
    ::testing::Values(BadModule{"", 1, 1}, BadModule{"hello", 1, 1}, BadModule{".version 7\n", 1, 10}, BadModule{".version x", 1, 10},
                      BadModule{".version 7.0\n.target compute", 2, 16}, BadModule{".version 7.0\n.target sm_x", 2, 9},
                      BadModule{".version 7.0\n.target sm_70\n.address_size 48", 3, 15}, BadModule{".version 7.0\n.entry k() {}", 2, 1},
                      BadModule{".target sm_70 .global .u32 x;", 1, 30}, BadModule{".version 7.0 .target sm_70 }", 1, 28},
                      BadModule{".version 7.0 .target sm_70 .section .x { {", 1, 40}, BadModule{".version 99999999999.0", 1, 10}));

// The one message: position, form, instruction as written, all kernels that contain it, nearest form.
TEST(Unsupported, NamesEverything) {
  const std::string text =
      std::string(kPreamble) +
      ".func helper() {\n  .reg .u32 x;\n\t@!%p  add.s33 x, /* gap */ x,\n 1;\n}\n"
      ".entry first() { call helper; ret; }\n.entry second() { ret; }\n.entry third() { .reg .u32 x; add.s33 x, x, 1; }\n";
  // The guard is not declared: declare it, the form is what is wrong.
  std::string declared = text;
  declared.replace(declared.find(".reg .u32 x;"), 12, ".reg .u32 x; .reg .pred %p;");
  const Error error = errorOf(declared);
  EXPECT_EQ(error.where().line, kPreambleLines + 3);
  EXPECT_EQ(error.where().column, 8u);
  EXPECT_EQ(error.message(), "unsupported form 'add.s33' in function 'helper', used by kernels 'first', 'third': @!%p add.s33 x, x, 1;");
  EXPECT_EQ(error.remedy(), "the nearest supported form is add.s32");
}

TEST(Unsupported, KernelsAreListedWhereverTheyStand) {
  const Error error = errorOf(std::string(kPreamble) +
                              ".entry a() { .reg .u32 x; tcgen05.wait::ld.sync.aligned; }\n.entry b() { }\n"
                              ".entry c() { tcgen05.wait::ld.sync.aligned; }\n");
  EXPECT_EQ(error.message(), "unsupported instruction 'tcgen05.wait::ld.sync.aligned' in kernels 'a', 'c': tcgen05.wait::ld.sync.aligned;");
  EXPECT_TRUE(contains(error.remedy(), "sm_100a"));
}

struct Remedy {
  const char* instruction;
  const char* part;
};
class Remedies : public ::testing::TestWithParam<Remedy> {};
TEST_P(Remedies, Fit) {
  const Error error = errorInKernel(GetParam().instruction);
  EXPECT_TRUE(contains(error.remedy(), GetParam().part)) << error.what();
  EXPECT_TRUE(contains(error.message(), "kernel 'k'")) << error.what();
}
INSTANTIATE_TEST_SUITE_P(
    All, Remedies,
    ::testing::Values(Remedy{"wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 x;", "sparse"},
                      Remedy{"tcgen05.fence::before_thread_sync;", "sm_100a"},
                      Remedy{"cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [x], [y], [z];",
                             ".tile mode"},
                      Remedy{"cp.async.bulk.global.shared::cta.bulk_group.cp_mask [x], [y], 16, 3;", "sm_90"},
                      Remedy{"cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u16 [x], [y], 16;", "cp.reduce.async.bulk"},
                      Remedy{"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f32 x;", "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16"},
                      Remedy{"tcgen05.alloc.cta_group::1.sync.aligned.b32 x;", "sm_100a"},
                      Remedy{"mma.sp.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 x;", "sparse"},
                      Remedy{"mma.sp::ordered_metadata.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 x;", "sparse"},
                      Remedy{"mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e4m3.e2m1.f32 x;", "block scaling"},
                      Remedy{"st.bulk.weak.shared::cta [x], 16, 0;", "bulk stores"},
                      Remedy{"multimem.red.relaxed.sys.global.add.u32 [x], 1;", "several devices"},
                      Remedy{"tensormap.replace.tile.ranks.b1024.b32 [x], 1;", "tensormap.replace.tile.rank"},
                      Remedy{"alloca.u64 %rd1, 16;", "array of fixed size"}, Remedy{"stacksave.u64 %rd1;", "array of fixed size"},
                      Remedy{"mul.s32 %r1, %r2, %r3;", "mul.lo.s32"}, Remedy{"ld.gobal.u32 %r1, [%rd1];", "ld.global.u32"},
                      Remedy{"xyzzyplugh %r1;", "docs/ptx-forms.md"}));

TEST(Unsupported, RegistersGetAHint) {
  const Error error = errorInKernel(".reg .u32 counter; mov.u32 %conter, 1;");
  EXPECT_TRUE(contains(error.remedy(), "counter")) << error.what();
}

TEST(Unsupported, SpecialRegistersOfLaterMachines) {
  EXPECT_TRUE(
      contains(errorInKernel("mov.u64 %rd1, %current_graph_exec;").message(), "special register '%current_graph_exec' is not supported"));
}

TEST(Unsupported, LongTextIsCut) {
  const Error error = errorInKernel("frob" + std::string(100000, 'x') + " " + std::string(100000, 'y') + ";");
  EXPECT_LT(error.message().size(), 1000u);
}

}  // namespace
}  // namespace warpwright::ptx
