#include "compiler/logic_joining.hpp"

#include <gtest/gtest.h>

#include "compiler/compiler.hpp"
#include "machine_builder.hpp"
#include "ptx/parser.hpp"

namespace warpwright::compiler {
namespace {

using isa::DataType;
using isa::Opcode;
using isa::Operand;

// r = (x op y) op z, and what reads r.
struct Chain {
  MachineBuilder b;
  Operand x = b.word(), y = b.word(), z = b.word(), t = b.word(), r = b.word();

  Chain(Opcode inner, Opcode outer) {
    b.move(x, b.number(5));
    b.move(y, b.number(6));
    b.move(z, b.number(7));
    b.emit(inner, DataType::u32, {t}, {x, y});
    b.emit(outer, DataType::u32, {r}, {z, t});
    b.store(r);
    b.exit();
  }
  MachineInstruction& inner() { return b.function.code[3]; }
  MachineInstruction& outer() { return b.function.code[4]; }
};

u32 applied(Opcode opcode, u32 a, u32 b) {
  if (opcode == Opcode::and_) return a & b;
  return opcode == Opcode::or_ ? a | b : a ^ b;
}

TEST(LogicJoining, TwoBecomeOneOfThreeOperands) {
  constexpr Opcode kLogic[] = {Opcode::and_, Opcode::or_, Opcode::xor_};
  for (const Opcode inner : kLogic)
    for (const Opcode outer : kLogic) {
      Chain chain(inner, outer);
      ASSERT_TRUE(joinLogic(chain.b.function));
      EXPECT_EQ(chain.outer().opcode, Opcode::lop3);
      EXPECT_EQ(chain.outer().sources[0], chain.x);
      EXPECT_EQ(chain.outer().sources[1], chain.y);
      EXPECT_EQ(chain.outer().sources[2], chain.z);
      for (u32 bits = 0; bits < 8; ++bits)
        EXPECT_EQ(chain.outer().modifiers.lut >> bits & 1, applied(outer, applied(inner, bits >> 2 & 1, bits >> 1 & 1), bits & 1));
    }
}

TEST(LogicJoining, WhatOthersReadStays) {
  Chain chain(Opcode::xor_, Opcode::xor_);
  chain.b.store(chain.t);
  std::swap(chain.b.function.code[6], chain.b.function.code[7]);
  EXPECT_FALSE(joinLogic(chain.b.function));
}

TEST(LogicJoining, AnOperandThatChangesInBetweenStays) {
  Chain chain(Opcode::xor_, Opcode::xor_);
  MachineInstruction again = chain.b.function.code[0];
  again.sources[0] = chain.b.number(9);
  chain.b.function.code.insert(chain.b.function.code.begin() + 4, again);
  EXPECT_FALSE(joinLogic(chain.b.function));
}

TEST(LogicJoining, OneOfThemMayBeAConstantAndNotTwo) {
  Chain one(Opcode::and_, Opcode::or_);
  one.inner().sources[1] = one.b.number(255);
  EXPECT_TRUE(joinLogic(one.b.function));
  Chain two(Opcode::and_, Opcode::or_);
  two.inner().sources[1] = two.b.number(255);
  two.outer().sources[0] = two.b.number(1);
  EXPECT_FALSE(joinLogic(two.b.function));
}

TEST(LogicJoining, GuardedOnesStay) {
  Chain chain(Opcode::xor_, Opcode::xor_);
  chain.inner().guard = chain.b.predicate();
  EXPECT_FALSE(joinLogic(chain.b.function));
}

// As ptxas: seven exclusive ors of eight words take four instructions.
TEST(LogicJoining, ChainsAreJoinedInPairs) {
  std::string text =
      ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 p) {\n.reg .b64 a; .reg .b32 x<8>, s<8>;\n"
      "ld.param.u64 a, [p];\n";
  for (u32 i = 0; i < 8; ++i) text += fmt::format("ld.global.b32 x{}, [a+{}];\n", i, 4 * i);
  text += "xor.b32 s1, x0, x1;\n";
  for (u32 i = 2; i < 8; ++i) text += fmt::format("xor.b32 s{}, s{}, x{};\n", i, i - 1, i);
  text += "st.global.b32 [a], s7;\nret;\n}\n";
  const ptx::Module module = ptx::parse(text, "k.ptx");
  const auto count = [&](bool joins) {
    Options options;
    options.joinsLogic = joins;
    u32 logic = 0;
    for (const isa::Instruction& each : compile(module, options).code) logic += each.opcode == Opcode::xor_ || each.opcode == Opcode::lop3;
    return logic;
  };
  EXPECT_EQ(count(true), 4u);
  EXPECT_EQ(count(false), 7u);
}

}  // namespace
}  // namespace warpwright::compiler
