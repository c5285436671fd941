// Layouts that accesses to shared memory name, at the final pc.
#include "compiler/analysis/shared_layouts.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "compiler/compiler.hpp"
#include "ptx/parser.hpp"

namespace warpwright::compiler {
namespace {

isa::Program compiled(const std::string& body, bool asked = true) {
  Options options;
  if (asked) options.analyses = {&kSharedLayouts};
  return compile(
      ptx::parse(
          ".version 7.8\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 out)\n{\n"
          "  .reg .b32 %r<9>;\n  .reg .b64 %d<3>;\n  .reg .pred %p;\n  .shared .align 4 .b8 tile[4096];\n"
          "  ld.param.u64 %d0, [out];\n  mov.u32 %r0, %tid.x;\n  shl.b32 %r1, %r0, 2;\n  mov.u32 %r2, tile;\n  add.u32 %r3, %r1, %r2;\n" +
              body + "  st.global.u32 [%d0], %r5;\n  ret;\n}\n",
          "test.ptx"),
      options);
}

// Of loads and stores of shared memory, in their order.
std::vector<u32> layoutsOf(const isa::Program& program) {
  std::vector<u32> layouts;
  const std::vector<u32>& marks = sharedLayouts(program);
  for (Pc pc{0}; pc < program.code.size(); ++pc)
    if (program.code[pc].modifiers.space == isa::Space::shared) layouts.push_back(pc < marks.size() ? marks[pc] : 0);
  return layouts;
}

TEST(SharedLayouts, APragmaSpeaksOfTheAccessBehindItAlone) {
  const std::string body =
      "  .pragma \"shared_layout 3\";\n  st.shared.u32 [%r3], %r0;\n  bar.sync 0;\n  ld.shared.u32 %r4, [%r3+128];\n"
      "  .pragma \"shared_layout 0\";\n  ld.shared.u32 %r5, [%r3+256];\n  add.u32 %r5, %r5, %r4;\n";
  EXPECT_EQ(layoutsOf(compiled(body)), (std::vector<u32>{1 + 3, 0, 1 + 0}));
  EXPECT_EQ(layoutsOf(compiled(body, false)), (std::vector<u32>{0, 0, 0})) << "nobody asked";
}

TEST(SharedLayouts, EveryRoundOfAnUnrolledLoopNamesIt) {
  const std::string body =
      "  mov.u32 %r5, 0;\n  mov.u32 %r6, 0;\nL:\n  .pragma \"shared_layout 2\";\n  ld.shared.u32 %r4, [%r3];\n  add.u32 %r5, %r5, %r4;\n"
      "  add.u32 %r3, %r3, 128;\n  add.u32 %r6, %r6, 1;\n  setp.lt.u32 %p, %r6, 4;\n  @%p bra L;\n";
  for (const u32 layout : layoutsOf(compiled(body))) EXPECT_EQ(layout, 1u + 2u);
}

TEST(SharedLayouts, WhatSaysNothingIsRefused) {
  for (const char* const text : {"shared_layout", "shared_layout x", "shared_layout 32", "shared_layout 3 4"})
    EXPECT_THROW(compiled(std::string("  .pragma \"") + text + "\";\n  ld.shared.u32 %r5, [%r3];\n"), Error) << text;
  EXPECT_THROW(compiled("  .pragma \"shared_layout 3\";\n  mov.u32 %r5, 1;\n"), Error) << "no access";
}

}  // namespace
}  // namespace warpwright::compiler
