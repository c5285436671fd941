#include "compiler/argument_registers.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "compiler/compiler.hpp"
#include "ptx/parser.hpp"

namespace warpwright::compiler {
namespace {

using isa::Opcode;

isa::Program compileModule(const std::string& functions, u32 maxRegisters = isa::kMaxRegisters) {
  const std::string text = ".version 7.0\n.target sm_70\n.address_size 64\n" + functions;
  return compile(ptx::parse(text, "test.ptx"), {.maxRegisters = maxRegisters, .verify = true});
}

const isa::Function& functionOf(const isa::Program& program, std::string_view name) {
  return *std::find_if(program.functions.begin(), program.functions.end(), [&](const isa::Function& f) { return f.name == name; });
}

u32 count(const isa::Program& program, std::string_view function, const auto& predicate) {
  const isa::Function& f = functionOf(program, function);
  return static_cast<u32>(std::count_if(program.code.begin() + f.begin, program.code.begin() + f.end, predicate));
}

u32 localAccesses(const isa::Program& program, std::string_view function) {
  return count(program, function, [](const isa::Instruction& i) {
    return (i.opcode == Opcode::ld || i.opcode == Opcode::st) && i.modifiers.space == isa::Space::local;
  });
}

bool usesRegister(const isa::Program& program, std::string_view function, u32 reg) {
  return count(program, function, [&](const isa::Instruction& i) {
           const auto names = [&](const isa::Operand& operand) { return operand.kind == isa::Operand::Kind::reg && operand.index == reg; };
           return std::any_of(i.sources.begin(), i.sources.end(), names) ||
                  std::any_of(i.destinations.begin(), i.destinations.end(), names);
         }) > 0;
}

constexpr const char* kAdd = R"(
.func (.param .b32 rv) plus(.param .b32 a, .param .b64 b) {
  .reg .b32 %r<3>; .reg .b64 %w;
  ld.param.b32 %r0, [a]; ld.param.b64 %w, [b]; cvt.u32.u64 %r1, %w; add.u32 %r2, %r0, %r1; st.param.b32 [rv], %r2; ret;
})";

TEST(ArgumentRegisters, ALeafAccessesNoMemory) {
  const isa::Program program = compileModule(kAdd);
  EXPECT_EQ(localAccesses(program, "plus"), 0u);
  const isa::Function& plus = functionOf(program, "plus");
  ASSERT_EQ(plus.end - plus.begin, 2u) << "an addition and the return";
  const isa::Instruction& add = program.code[plus.begin];
  EXPECT_EQ(add.sources[0], isa::Operand::makeRegister(4));
  EXPECT_EQ(add.sources[1], isa::Operand::makeRegister(6)) << "the second argument is aligned as in memory";
  EXPECT_EQ(add.destinations[0], isa::Operand::makeRegister(4));
}

std::string sumOf(u32 parameters) {
  std::string head, body;
  for (u32 i = 0; i < parameters; ++i) {
    head += (i == 0 ? "" : ", ") + std::string(".param .b32 p") + std::to_string(i);
    body += "ld.param.b32 %x, [p" + std::to_string(i) + "]; mad.lo.u32 %sum, %sum, 3, %x;\n";
  }
  return ".func (.param .b32 rv) sum(" + head + ") {\n.reg .b32 %sum, %x;\nmov.u32 %sum, 1;\n" + body + "st.param.b32 [rv], %sum; ret;\n}";
}

TEST(ArgumentRegisters, TwelveWordsHaveRegistersAndTheRestLiesInTheFrame) {
  EXPECT_EQ(localAccesses(compileModule(sumOf(12)), "sum"), 0u);
  EXPECT_GE(localAccesses(compileModule(sumOf(13)), "sum"), 1u);
}

TEST(ArgumentRegisters, AnArgumentWhoseAddressIsTakenIsStoredAtTheEntry) {
  const isa::Program program = compileModule(R"(
.func (.param .b32 rv) pick(.param .align 4 .b8 a[16], .param .b32 i) {
  .reg .b32 %r<3>; .reg .b64 %w<3>;
  ld.param.b32 %r0, [i]; mov.b64 %w0, a; mul.wide.u32 %w1, %r0, 4; add.u64 %w2, %w0, %w1; ld.param.b32 %r1, [%w2];
  st.param.b32 [rv], %r1; ret;
})");
  EXPECT_GE(localAccesses(program, "pick"), 6u) << "five words are stored, one is loaded";
}

constexpr const char* kKeeps = R"(
.visible .entry k(.param .u64 out) {
  .reg .b32 %r<4>; .reg .b64 %rd;
  ld.param.u64 %rd, [out]; mov.u32 %r0, %tid.x; ld.global.u32 %r3, [%rd];
  { .param .b32 p0; .param .b64 p1; .param .b32 r0;
    st.param.b32 [p0], %r0; st.param.b64 [p1], %rd; call (r0), plus, (p0, p1); ld.param.b32 %r1, [r0]; }
  add.u32 %r2, %r1, %r3; st.global.u32 [%rd], %r2; ret;
})";

TEST(ArgumentRegisters, WhatLivesAcrossACallTakesPreservedRegisters) {
  const isa::Program program = compileModule(std::string(kAdd) + kKeeps);
  EXPECT_EQ(localAccesses(program, "k"), 0u);
  EXPECT_TRUE(usesRegister(program, "k", kFirstPreservedRegister));
}

TEST(ArgumentRegisters, WithoutPreservedRegistersTheCallerSaves) {
  const isa::Program program = compileModule(std::string(kAdd) + kKeeps, 12);
  EXPECT_GT(localAccesses(program, "k"), 0u);
  EXPECT_FALSE(usesRegister(program, "k", kFirstPreservedRegister));
}

TEST(ArgumentRegisters, AFunctionStoresThePreservedRegistersThatItWrites) {
  const isa::Program program = compileModule(std::string(kAdd) + R"(
.func (.param .b32 rv) twice(.param .b32 a) {
  .reg .b32 %r<4>; .reg .b64 %w;
  ld.param.b32 %r0, [a]; mov.u64 %w, 5;
  { .param .b32 p0; .param .b64 p1; .param .b32 r0;
    st.param.b32 [p0], %r0; st.param.b64 [p1], %w; call (r0), plus, (p0, p1); ld.param.b32 %r1, [r0]; }
  mul.lo.u32 %r2, %r1, %r0; st.param.b32 [rv], %r2; ret;
})");
  ASSERT_TRUE(usesRegister(program, "twice", kFirstPreservedRegister));
  EXPECT_EQ(localAccesses(program, "twice"), 2u) << "stored at the entry, loaded before the return";
}

TEST(ArgumentRegisters, CallsAndReturnsNameNoRegistersInTheEnd) {
  const isa::Program program = compileModule(std::string(kAdd) + kKeeps);
  for (const isa::Instruction& instruction : program.code) {
    if (instruction.opcode != Opcode::call && instruction.opcode != Opcode::ret) continue;
    for (const isa::Operand& operand : instruction.sources) EXPECT_EQ(operand.kind, isa::Operand::Kind::none);
    for (const isa::Operand& operand : instruction.destinations) EXPECT_EQ(operand.kind, isa::Operand::Kind::none);
  }
}

}  // namespace
}  // namespace warpwright::compiler
