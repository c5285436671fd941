#include "sass/lowering.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "sass/modifiers.hpp"

namespace warpwright::sass {
namespace {

using isa::DataType;
using isa::Opcode;
using isa::Operand;
using isa::Space;

const SourcePosition kHere{"t", 1, 0};

CodeEntry lowered(const std::string& text, u32 smVersion = 70) {
  KernelHeader header;
  header.tracerVersion = 3;
  const std::string whole = "0000 ffffffff " + text;
  InstructionLine line;
  parseInstruction(whole, header, kHere, line);
  return lower(line, smVersion, kHere);
}

std::string failureOf(const std::string& text, u32 smVersion = 70) {
  try {
    lowered(text, smVersion);
  } catch (const Error& error) {
    return error.message();
  }
  return "";
}

// Registers as "R4 R8-": the operands in order, those that are none as "-".
std::string registersIn(const std::array<Operand, 4>& operands, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i)
    text += operands[i].kind == Operand::Kind::reg ? fmt::format("R{} ", operands[i].index) : std::string("- ");
  return text;
}

TEST(SassOpcodes, EveryRowIsAnInstructionOfOurs) {
  for (const OpcodeRow& row : opcodeRows()) {
    SCOPED_TRACE(row.name);
    const bool hasModifierTypes = row.form == Form::sourceTyped && isa::isFloat(row.type);
    EXPECT_TRUE(isa::info(row.operation).allows(hasModifierTypes ? DataType::u32 : row.type));
    EXPECT_TRUE(row.since == 70 || row.since == 75 || row.since == 80 || row.since == 90) << row.since;
    const bool accesses = row.form == Form::load || row.form == Form::store || row.form == Form::rowLoad || row.form == Form::rowStore ||
                          row.form == Form::atomic || row.form == Form::reduction || row.form == Form::copy;
    EXPECT_EQ(accesses, isa::info(row.operation).kind == isa::Kind::load || isa::info(row.operation).kind == isa::Kind::store ||
                            isa::info(row.operation).kind == isa::Kind::atomic || row.operation == Opcode::cp_async);
  }
}

TEST(SassOpcodes, RowsOfOneNameAreNewerBehind) {
  std::set<std::string_view> names;
  const OpcodeRow* before = nullptr;
  for (const OpcodeRow& row : opcodeRows()) {
    const bool isSame = before != nullptr && before->name == row.name;
    EXPECT_TRUE(names.insert(row.name).second || isSame) << row.name;
    if (isSame) EXPECT_LT(before->since, row.since) << row.name;
    before = &row;
  }
}

TEST(SassOpcodes, ByArchitecture) {
  EXPECT_EQ(rowOf("DEPBAR.LE", 75, kHere).operation, Opcode::nop);
  EXPECT_EQ(rowOf("DEPBAR.LE", 86, kHere).operation, Opcode::cp_wait);
  EXPECT_EQ(rowOf("IMAD.WIDE.U32", 70, kHere).operation, Opcode::mad_wide);
  EXPECT_EQ(rowOf("IMAD.MOV.U32", 70, kHere).operation, Opcode::mad_lo);
  EXPECT_EQ(failureOf("0 UIADD3 0 0"), "sm_70 has no instruction UIADD3: it came with sm_75");
  EXPECT_EQ(failureOf("1 R1 FFMB 0 0"), "unknown opcode FFMB; the nearest is FFMA");
}

TEST(SassOpcodes, UnitsAndLatencies) {
  const auto unit = [](const std::string& text, u32 sm = 80) { return isa::unitOf(lowered(text, sm).instruction); };
  EXPECT_EQ(unit("1 R1 FADD 2 R2 R3 0"), isa::Unit::fp32);
  EXPECT_EQ(unit("1 R1 HFMA2.MMA 3 R2 R3 R4 0"), isa::Unit::fp32);
  EXPECT_EQ(unit("1 R2 DADD 2 R4 R6 0"), isa::Unit::fp64);
  EXPECT_EQ(unit("1 R1 IADD3 3 R2 R3 R4 0"), isa::Unit::integer);
  EXPECT_EQ(unit("1 R1 MUFU.RCP 1 R2 0"), isa::Unit::sfu);
  EXPECT_EQ(unit("1 R1 I2F.U32.RP 1 R2 0"), isa::Unit::sfu);
  EXPECT_EQ(unit("1 R4 HMMA.16816.F32 3 R8 R12 R4 0"), isa::Unit::tensor);
  EXPECT_EQ(unit("1 R4 LDG.E 1 R2 4 1 0x1000 4"), isa::Unit::load_store);
  EXPECT_EQ(unit("0 BRA 0 0"), isa::Unit::branch);
  EXPECT_EQ(isa::latencyOf(lowered("1 R1 IMAD 3 R2 R3 R4 0").instruction), isa::Latency::multiply);
}

TEST(SassLowering, RegistersInOrder) {
  const CodeEntry fma = lowered("1 R6 FFMA 3 R1 R255 R6 0");
  EXPECT_EQ(registersIn(fma.instruction.destinations, 1), "R6 ");
  EXPECT_EQ(registersIn(fma.instruction.sources, 3), "R1 - R6 ");
  const CodeEntry store = lowered("0 STG.E.64 2 R2 R4 8 1 0x1000 8");
  EXPECT_EQ(registersIn(store.instruction.sources, 2), "R2 R4 ");
  EXPECT_EQ(isa::operandWords(store.instruction, 'M', 64), 2u);
  EXPECT_EQ(isa::operandWords(store.instruction, 'a', 64), 2u);
}

// The tracer takes what stands behind a predicate for a source.
TEST(SassLowering, ResultsBehindPredicates) {
  const CodeEntry shuffle = lowered("0 SHFL.BFLY 2 R5 R3 0");
  EXPECT_EQ(registersIn(shuffle.instruction.destinations, 1), "R5 ");
  EXPECT_EQ(registersIn(shuffle.instruction.sources, 2), "R3 - ");
  const CodeEntry swap = lowered("0 ATOMG.E.CAS.64.STRONG.GPU 4 R8 R4 R10 R12 8 1 0x1000 8");
  EXPECT_EQ(registersIn(swap.instruction.destinations, 1), "R8 ");
  EXPECT_EQ(registersIn(swap.instruction.sources, 3), "R4 R10 R12 ");
  EXPECT_EQ(swap.instruction.type, DataType::u64);
  const CodeEntry reduction = lowered("0 RED.E.ADD.F32.FTZ.RN.STRONG.GPU 2 R2 R6 4 1 0x1000 0");
  EXPECT_EQ(registersIn(reduction.instruction.destinations, 1), "- ");
  EXPECT_EQ(reduction.instruction.type, DataType::f32);
  EXPECT_FALSE(reduction.isLoad);
  EXPECT_TRUE(reduction.isStore && reduction.isAtomic);
}

TEST(SassLowering, WidthsAndSpaces) {
  const auto bytes = [](const std::string& opcode) { return lowered("1 R4 " + opcode + " 1 R2 4 1 0x10 4").bytes; };
  EXPECT_EQ(bytes("LDG.E.U8.CONSTANT"), 1u);
  EXPECT_EQ(bytes("LDG.E.S16"), 2u);
  EXPECT_EQ(bytes("LDG.E"), 4u);
  EXPECT_EQ(bytes("LDS.U.64"), 8u);
  EXPECT_EQ(bytes("LDL.128"), 16u);
  EXPECT_EQ(lowered("1 R4 LDS 1 R2 4 1 0x10 4").space, Space::shared);
  EXPECT_EQ(lowered("1 R4 LD.E 1 R2 4 1 0x10 4").space, Space::generic);
  EXPECT_EQ(isa::operandWords(lowered("1 R4 LDS 1 R2 4 1 0x10 4").instruction, 'a', 64), 1u);
}

TEST(SassLowering, Caching) {
  const auto modifiers = [](const std::string& opcode) { return lowered("1 R4 " + opcode + " 1 R2 4 1 0x10 4").instruction.modifiers; };
  EXPECT_EQ(modifiers("LDG.E.CONSTANT.SYS").cache, isa::CacheOp::nc);
  EXPECT_EQ(modifiers("LDG.E.SYS").ordering, isa::Ordering::weak);
  EXPECT_EQ(modifiers("LDG.E.STRONG.GPU").ordering, isa::Ordering::relaxed);
  EXPECT_EQ(modifiers("LDG.E.STRONG.SM").ordering, isa::Ordering::weak);
}

TEST(SassLowering, Conversions) {
  const auto types = [](const std::string& opcode) {
    const isa::Instruction instruction = lowered("1 R4 " + opcode + " 1 R2 0").instruction;
    return std::pair(instruction.type, instruction.sourceType);
  };
  EXPECT_EQ(types("F2F.F64.F32"), std::pair(DataType::f64, DataType::f32));
  EXPECT_EQ(types("F2I.S64.F64.TRUNC"), std::pair(DataType::s64, DataType::f64));
  EXPECT_EQ(types("F2I.TRUNC.NTZ"), std::pair(DataType::s32, DataType::f32));
  EXPECT_EQ(types("I2F.F64.U32"), std::pair(DataType::f64, DataType::u32));
  EXPECT_EQ(types("I2F"), std::pair(DataType::f32, DataType::s32));
  EXPECT_EQ(types("FRND.F64.FLOOR"), std::pair(DataType::f64, DataType::f64));
}

TEST(SassLowering, Matrices) {
  const auto words = [](const std::string& opcode, u32 sources = 3) { return matrixOf(opcode, sources)->words; };
  EXPECT_EQ(words("HMMA.16816.F32"), (std::array<u8, 4>{4, 4, 2, 4}));
  EXPECT_EQ(words("HMMA.1688.F16"), (std::array<u8, 4>{2, 2, 1, 2}));
  EXPECT_EQ(words("HMMA.884.F32.F32.STEP0"), (std::array<u8, 4>{2, 2, 2, 2}));
  EXPECT_EQ(words("IMMA.16832.S8.S8"), (std::array<u8, 4>{4, 4, 2, 4}));
  EXPECT_EQ(words("BMMA.168256.XOR.POPC"), (std::array<u8, 4>{4, 4, 2, 4}));
  EXPECT_EQ(words("DMMA.884"), (std::array<u8, 4>{4, 2, 2, 4}));
  EXPECT_EQ(words("HGMMA.64x128x16.F32", 1), (std::array<u8, 4>{64, 64, 0, 0}));
  EXPECT_EQ(words("HGMMA.64x128x16.F32", 2), (std::array<u8, 4>{64, 4, 64, 0}));
  EXPECT_EQ(words("HGMMA.64x256x16.F32", 2), (std::array<u8, 4>{128, 4, 128, 0}));
  EXPECT_TRUE(matrixOf("HGMMA.64x256x16.F32", 1)->sharedA);
  EXPECT_EQ(matrixOf("QGMMA.64x256x32.F32.E4M3.E4M3", 1)->n, 256u);
  EXPECT_EQ(lowered("1 R24 HGMMA.64x128x16.F32 1 R24 0", 90).instruction.opcode, isa::Opcode::wgmma);
  EXPECT_EQ(lowered("0 WARPGROUP.DEPBAR.LE 0 0", 90).instruction.opcode, isa::Opcode::wgmma_wait);
  EXPECT_EQ(failureOf("1 R4 HMMA.999.F32 3 R8 R12 R4 0"), "HMMA.999.F32 has no shape that is known");
}

TEST(SassLowering, RowsOfMatrices) {
  const CodeEntry load = lowered("1 R4 LDSM.16.M88.2 1 R2 2 1 0x0 16", 75);
  EXPECT_EQ(load.bytes, 16u);
  EXPECT_EQ(load.lanes, LaneMask::first(16));
  EXPECT_EQ(isa::operandWords(load.instruction, 'M', 64), 2u);
}

TEST(SassLowering, RegistersThatThereAreNot) {
  EXPECT_EQ(failureOf("1 R252 LDG.E.128 1 R2 16 1 0x0 16"), "LDG.E.128 with 4 registers from R252 on: there are R0 to R254");
  EXPECT_EQ(failureOf("1 R4 LDG.E 1 R254 4 1 0x0 4"), "LDG.E with 2 registers from R254 on: there are R0 to R254");
}

}  // namespace
}  // namespace warpwright::sass
