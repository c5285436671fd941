#include "compiler/layout.hpp"

#include <gtest/gtest.h>

#include "compiler/compiler.hpp"
#include "ptx/parser.hpp"

namespace warpwright::compiler {
namespace {

isa::Program compileText(const std::string& body) {
  return compile(ptx::parse(".version 7.0\n.target sm_70\n.address_size 64\n" + body, "test.ptx"));
}

TEST(Layout, ParametersLieAtTheirOwnAlignment) {
  const isa::Program program =
      compileText(".visible .entry k(.param .u8 a, .param .u64 b, .param .align 16 .b8 c[20], .param .u32 d) { ret; }");
  const isa::Function& kernel = *program.findFunction("k");
  ASSERT_EQ(kernel.parameters.size(), 4u);
  EXPECT_EQ(kernel.parameters[0].offset, 0u);
  EXPECT_EQ(kernel.parameters[1].offset, 8u);
  EXPECT_EQ(kernel.parameters[2].offset, 16u);
  EXPECT_EQ(kernel.parameters[3].offset, 36u);
  EXPECT_EQ(kernel.parameterBytes, 40u);
}

TEST(Layout, AggregatesOfDeviceFunctionsAreAlignedAsTheirSizeAllows) {
  ptx::Variable byte, aggregate;
  byte.size = 1;
  aggregate.size = 44;
  aggregate.isArray = true;
  const SignatureLayout layout = layOutSignature({byte, aggregate}, {aggregate});
  EXPECT_EQ(layout.parameters, (std::vector<u64>{0, 16}));
  EXPECT_EQ(layout.returns, (std::vector<u64>{64}));
  EXPECT_EQ(layOutKernelParameters({byte, aggregate}).parameters, (std::vector<u64>{0, 1})) << "the host's layout";
}

TEST(Layout, AKernelPaysOnlyForTheSharedMemoryItNames) {
  const isa::Program program = compileText(R"(
.shared .align 4 .b8 a[100];
.shared .align 8 .b8 b[40];
.visible .entry one() { .reg .b32 %r; ld.shared.u32 %r, [a]; st.shared.u32 [a+4], %r; ret; }
.visible .entry both() { .reg .b32 %r; ld.shared.u32 %r, [a]; st.shared.u32 [b], %r; ret; }
.visible .entry none() { ret; })");
  EXPECT_EQ(program.findFunction("one")->sharedBytes, 100u);
  EXPECT_EQ(program.findFunction("both")->sharedBytes, 144u) << "b begins at 104, aligned to 8";
  EXPECT_EQ(program.findFunction("none")->sharedBytes, 0u);
}

TEST(Layout, WhatADeviceFunctionNamesLiesAtOnePlaceInAllKernels) {
  const isa::Program program = compileText(R"(
.shared .align 4 .b8 mine[64];
.shared .align 4 .b8 common[32];
.func f() { .reg .b32 %r; ld.shared.u32 %r, [common]; st.shared.u32 [common+4], %r; ret; }
.visible .entry first() { .reg .b32 %r; ld.shared.u32 %r, [mine]; st.shared.u32 [mine+4], %r; call f; ret; }
.visible .entry second() { call f; ret; }
.visible .entry third() { .reg .b32 %r; ld.shared.u32 %r, [mine]; st.shared.u32 [mine+4], %r; ret; })");
  const auto offsetOf = [&](const char* kernel, const std::string& name) -> s64 {
    for (const isa::SharedVariable& variable : program.findFunction(kernel)->sharedVariables)
      if (variable.name == name) return static_cast<s64>(variable.offset);
    return -1;
  };
  EXPECT_EQ(offsetOf("first", "common"), 0);
  EXPECT_EQ(offsetOf("second", "common"), 0);
  EXPECT_EQ(offsetOf("first", "mine"), 32);
  EXPECT_EQ(offsetOf("third", "mine"), 0);
  EXPECT_EQ(program.findFunction("first")->sharedBytes, 96u);
  EXPECT_EQ(program.findFunction("second")->sharedBytes, 32u);
  EXPECT_EQ(program.findFunction("third")->sharedBytes, 64u);
}

TEST(Layout, DynamicSharedMemoryFollowsTheStaticPart) {
  const isa::Program program = compileText(R"(
.extern .shared .align 4 .b8 dynamic[];
.shared .align 4 .b8 fixed[20];
.visible .entry k() { .reg .b32 %r; ld.shared.u32 %r, [fixed]; st.shared.u32 [dynamic], %r; ret; })");
  EXPECT_EQ(program.findFunction("k")->sharedBytes, 20u);
  EXPECT_EQ(program.findFunction("k")->dynamicSharedOffset, 32u) << "aligned to 16 for vector accesses";
}

TEST(Layout, LocalMemoryFollowsTheDeepestChainOfCalls) {
  const isa::Program program = compileText(R"(
.func leaf(.param .b32 a) { .local .align 16 .b8 big[112]; .reg .b64 %rd; mov.u64 %rd, big; st.local.u32 [%rd], 1; ret; }
.func middle() { .reg .b32 %r; mov.u32 %r, 1; { .param .b32 x; st.param.b32 [x], %r; call leaf, (x); } ret; }
.visible .entry k() { .local .align 4 .b8 own[4]; .reg .b64 %rd; mov.u64 %rd, own; st.local.u32 [%rd], 1; call middle; ret; })");
  EXPECT_EQ(program.findFunction("leaf")->frameBytes, 128u) << "parameter at 0, locals at 16";
  EXPECT_EQ(program.findFunction("middle")->frameBytes, 0u);
  EXPECT_EQ(program.findFunction("k")->frameBytes, 16u);
  EXPECT_EQ(program.findFunction("k")->localBytes, 144u);
  EXPECT_FALSE(program.findFunction("k")->recursive);
}

TEST(Layout, RegistersOfAKernelCoverWhatItCalls) {
  const isa::Program program = compileText(R"(
.func wide(.param .b64 p) {
  .reg .b32 %r<12>; .reg .b64 %rd; ld.param.u64 %rd, [p];
  ld.global.v4.u32 {%r0,%r1,%r2,%r3}, [%rd]; ld.global.v4.u32 {%r4,%r5,%r6,%r7}, [%rd+16]; ld.global.v4.u32 {%r8,%r9,%r10,%r11}, [%rd+32];
  st.global.v4.u32 [%rd], {%r8,%r9,%r10,%r11}; st.global.v4.u32 [%rd+16], {%r0,%r1,%r2,%r3}; st.global.v4.u32 [%rd+32], {%r4,%r5,%r6,%r7};
  ret; }
.visible .entry k(.param .u64 p) { .reg .b64 %rd; ld.param.u64 %rd, [p]; { .param .b64 x; st.param.b64 [x], %rd; call wide, (x); } ret; })");
  EXPECT_EQ(program.findFunction("k")->registers, program.findFunction("wide")->registers);
  EXPECT_GE(program.findFunction("k")->registers, 14u);
}

TEST(Layout, ConstantVariablesShareOneBlock) {
  const isa::Program program = compileText(".const .align 4 .b8 a[6];\n.const .align 8 .b8 b[8];\n.visible .entry k() { ret; }");
  ASSERT_EQ(program.variables.size(), 2u);
  EXPECT_EQ(program.variables[0].constantOffset, 0u);
  EXPECT_EQ(program.variables[1].constantOffset, 8u);
  EXPECT_EQ(program.constantBytes, 16u);
}

}  // namespace
}  // namespace warpwright::compiler
