#include "isa/disassembler.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "isa/launch_constants.hpp"
#include "unit/isa/one_lane.hpp"

namespace warpwright::test {
namespace {

using isa::Operand;

Instruction load() {
  Instruction load = operation(Opcode::ld, DataType::u32);
  load.vector = 2;
  load.modifiers.space = isa::Space::global;
  load.guard = Operand::makePredicate(0, true);
  load.destinations[0] = Operand::makeRegister(4);
  load.sources[0] = Operand::makeRegister(2);
  load.offset = 16;
  return load;
}

TEST(Disassembler, PrintsMemoryOperations) {
  EXPECT_EQ(isa::disassemble(load(), 64), "@!P0 LD.GLOBAL.V2.U32 R4, [R2+16]");
  Instruction store = operation(Opcode::st, DataType::f64);
  store.modifiers.space = isa::Space::shared;
  store.offset = 64;
  store.sources[1] = Operand::makeRegister(6);
  EXPECT_EQ(isa::disassemble(store, 64), "ST.SHARED.F64 [0x40], R6");
  store.sources[0] = Operand::makeRegister(2);
  store.offset = -8;
  EXPECT_EQ(isa::disassemble(store, 32), "ST.SHARED.F64 [R2-8], R6");
  store.sources[2] = Operand::makeParam(16);
  EXPECT_EQ(isa::disassemble(store, 64), "ST.SHARED.F64 [R2+c[0x0][0x10]-8], R6");
  Instruction move = operation(Opcode::mov, DataType::u32);
  move.destinations[0] = Operand::makeRegister(1);
  move.sources[0] = Operand::makeParam(*isa::launchConstantOffset(isa::SpecialRegister::nctaid_y));
  EXPECT_EQ(isa::disassemble(move, 64), "MOV.U32 R1, c[0x0][NCTAID.Y]");
  move.sources[0] = Operand::makeParam(isa::kModuleConstants + 0x20);
  EXPECT_EQ(isa::disassemble(move, 64), "MOV.U32 R1, c[0x3][0x20]");
}

TEST(Disassembler, PrintsControlBits) {
  EXPECT_EQ(isa::toText({.stall = 4, .readCounter = 1, .waits = 0b001001}), "B0--3--:R1:W-:-:S04");
  EXPECT_EQ(isa::toText({.stall = 15, .yield = true, .writeCounter = 5}), "B------:R-:W5:Y:S15");
  Instruction fma = operation(Opcode::fma, DataType::f32);
  fma.destinations[0] = Operand::makeRegister(1);
  for (u32 i = 0; i < 3; ++i) fma.sources[i] = Operand::makeRegister(2 + i);
  EXPECT_EQ(isa::disassemble(fma, 64, 0b101), "FMA.F32 R1, R2.reuse, R3, R4.reuse");
}

TEST(Disassembler, PrintsModifiersAndConstants) {
  isa::Modifiers modifiers;
  modifiers.rounding = isa::Rounding::zero;
  modifiers.ftz = true;
  Instruction fma = operation(Opcode::fma, DataType::f32, modifiers);
  fma.destinations[0] = Operand::makeRegister(1);
  fma.sources[0] = Operand::makeRegister(2);
  fma.sources[1] = Operand::makeImmediate(bits(1.5f));
  fma.sources[2] = Operand::makeParam(0x10);
  EXPECT_EQ(isa::disassemble(fma, 64), "FMA.RZ.FTZ.F32 R1, R2, 1.5, c[0x0][0x10]");

  isa::Modifiers compare;
  compare.compare = isa::Compare::lt;
  compare.combine = isa::BoolOp::and_;
  Instruction setp = operation(Opcode::setp, DataType::s32, compare);
  setp.destinations[0] = Operand::makePredicate(1);
  setp.sources[0] = Operand::makeRegister(3);
  setp.sources[1] = Operand::makeImmediate(static_cast<u32>(-7));
  setp.sources[2] = Operand::makePredicate(isa::kTruePredicate);
  EXPECT_EQ(isa::disassemble(setp, 64), "SETP.LT.AND.S32 P1, R3, -7, PT");

  Instruction convert = operation(Opcode::cvt, DataType::s16, {}, DataType::f64);
  convert.destinations[0] = Operand::makeRegister(0);
  convert.sources[0] = Operand::makeRegister(2);
  EXPECT_EQ(isa::disassemble(convert, 64), "CVT.S16.F64 R0, R2");
}

TEST(Disassembler, PrintsControlFlowAndSpecialRegisters) {
  Instruction branch = operation(Opcode::bra, DataType::u32);
  branch.target = 10;
  branch.guard = Operand::makePredicate(3);
  EXPECT_EQ(isa::disassemble(branch, 64), "@P3 BRA 0x00a0");
  isa::Modifiers special;
  special.special = isa::SpecialRegister::ctaid_y;
  Instruction read = operation(Opcode::s2r, DataType::u32, special);
  read.destinations[0] = Operand::makeRegister(7);
  EXPECT_EQ(isa::disassemble(read, 64), "S2R.CTAID.Y R7");
  for (const auto& [value, text] : {std::pair{isa::SpecialRegister::globaltimer, "S2R.GLOBALTIMER R7"},
                                    {isa::SpecialRegister::envreg_last, "S2R.ENVREG31 R7"},
                                    {isa::SpecialRegister::clock_hi, "S2R.CLOCK_HI R7"},
                                    {isa::SpecialRegister::zero, "S2R.ZERO R7"}}) {
    read.modifiers.special = value;
    EXPECT_EQ(isa::disassemble(read, 64), text);
  }
}

TEST(Disassembler, ListsPtxAndSourceBesideTheCode) {
  const std::filesystem::path path = std::filesystem::path(::testing::TempDir()) / "listing.cu";
  std::ofstream(path) << "first\n  y = x;\n";
  isa::Program program;
  program.files = {{1, path.string()}};
  program.code = {load(), operation(Opcode::exit, DataType::u32)};
  program.code[0].sourceFile = program.code[1].sourceFile = 1;
  program.code[0].sourceLine = program.code[1].sourceLine = 2;
  program.ptxText = {"@!%p1 ld.global.v2.u32 {%r1, %r2}, [%rd1+16];", "exit;"};
  program.ptxOf = {0, 1};
  isa::Function function;
  function.name = "copy";
  function.isKernel = true;
  function.end = Pc{2};
  const std::string listing = isa::disassemble(program, function);
  EXPECT_NE(listing.find(".kernel copy"), std::string::npos);
  EXPECT_NE(listing.find("listing.cu:2: y = x;"), std::string::npos);
  EXPECT_NE(listing.find("@!P0 LD.GLOBAL.V2.U32 R4, [R2+16]"), std::string::npos);
  EXPECT_NE(listing.find("// @!%p1 ld.global.v2.u32 {%r1, %r2}, [%rd1+16];"), std::string::npos);
  EXPECT_NE(listing.find("0x0010  EXIT"), std::string::npos);
  EXPECT_EQ(listing.find("y = x", listing.find("y = x") + 1), std::string::npos);  // the line is named once
  EXPECT_EQ(isa::disassemble(program, function, {.ptx = false, .source = false}).find("//"), std::string::npos);
}

}  // namespace
}  // namespace warpwright::test
