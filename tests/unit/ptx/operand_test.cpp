// Operands as the parser hands them over.
#include <bit>

#include "parse_helpers.hpp"
#include "ptx/special_register.hpp"

namespace warpwright::ptx {
namespace {

using Kind = Operand::Kind;

TEST(Operands, RegistersComeToBeWhenTheyAreNamed) {
  const Function function =
      parse(std::string(kPreamble) + ".entry k() { .reg .b32 %r<1000000>; mov.u32 %r7, %r999999; mov.u32 %r7, %r7; }", "t").functions[0];
  ASSERT_EQ(function.registers.size(), 2u);
  EXPECT_EQ(function.registers[0].name, "%r7");
  EXPECT_EQ(function.registers[1].name, "%r999999");
  EXPECT_EQ(function.registers[1].type, Type::b32);
  EXPECT_EQ(function.body[1].operands[0].reg, 0u);
}

TEST(Operands, ImmediatesTakeTheInstructionType) {
  const Operand minusOne = parseOne("mov.u16 %rs1, -1;").operands[1];
  EXPECT_EQ(minusOne.kind, Kind::integer);
  EXPECT_EQ(minusOne.bits, 0xFFFFu);
  const Operand single = parseOne("mov.f32 %f1, 1.5;").operands[1];
  EXPECT_EQ(single.kind, Kind::floating);
  EXPECT_TRUE(single.floatIsSingle);
  EXPECT_EQ(single.bits, std::bit_cast<u32>(1.5f));
  const Operand wide = parseOne("add.f64 %fd1, %fd2, 0f40000000;").operands[2];
  EXPECT_FALSE(wide.floatIsSingle);
  EXPECT_EQ(wide.bits, std::bit_cast<u64>(2.0));
  EXPECT_EQ(parseOne("mov.b32 %r1, 0f3F800000;").operands[1].bits, 0x3F800000u);
  EXPECT_EQ(parseOne("and.pred %p1, %p2, -1;").operands[2].bits, 1u);
  EXPECT_EQ(parseOne("add.s32 %r1, %r2, WARP_SZ - 1;").operands[2].bits, 31u);
}

TEST(Operands, AddressesHaveBaseAndDisplacement) {
  const Function function =
      parseKernel("ld.global.u32 %r1, [%rd1+-8]; ld.shared.u32 %r1, [s+4]; ld.u32 %r1, [64]; ld.global.u32 %r1, [%rd1-4+12];");
  const Operand& fromRegister = function.body[0].operands[1];
  EXPECT_EQ(fromRegister.kind, Kind::address);
  EXPECT_EQ(registerName(function, fromRegister), "%rd1");
  EXPECT_EQ(fromRegister.displacement, -8);
  const Operand& fromSymbol = function.body[1].operands[1];
  EXPECT_EQ(fromSymbol.symbol, (SymbolRef{SymbolKind::module_variable, 2}));
  EXPECT_EQ(fromSymbol.displacement, 4);
  EXPECT_EQ(fromSymbol.reg, kNoIndex);
  EXPECT_EQ(function.body[2].operands[1].displacement, 64);
  EXPECT_EQ(function.body[2].operands[1].symbol.kind, SymbolKind::none);
  EXPECT_EQ(function.body[3].operands[1].displacement, 8);
}

TEST(Operands, SymbolsResolveToWhatTheyName) {
  const Function function = parseKernel(
      ".local .align 4 .b8 l[8]; mov.u64 %rd1, l; ld.param.u64 %rd1, [a]; mov.u64 %rd1, b+8; mov.u64 %rd1, k; ld.const.u32 %r1, [c+12];");
  EXPECT_EQ(function.body[0].operands[1].symbol, (SymbolRef{SymbolKind::function_variable, 0}));
  EXPECT_EQ(function.body[1].operands[1].symbol, (SymbolRef{SymbolKind::parameter, 0}));
  EXPECT_EQ(function.body[2].operands[1].symbol, (SymbolRef{SymbolKind::parameter, 1}));
  EXPECT_EQ(function.body[2].operands[1].displacement, 8);
  EXPECT_EQ(function.body[3].operands[1].symbol, (SymbolRef{SymbolKind::function, 0}));
  EXPECT_EQ(function.body[4].operands[1].symbol, (SymbolRef{SymbolKind::module_variable, 1}));
}

TEST(Operands, VectorsKeepTheirElements) {
  const Operand loaded = parseOne("ld.global.v4.f32 {%f1, _, %f3, %f4}, [%rd1];").operands[0];
  EXPECT_EQ(loaded.kind, Kind::vector);
  ASSERT_EQ(loaded.elements.size(), 4u);
  EXPECT_EQ(loaded.elements[1].kind, Kind::discard);
  const Operand stored = parseOne("st.global.v2.f32 [%rd1], {%f1, 0f3F800000};").operands[1];
  EXPECT_EQ(stored.elements[1].bits, 0x3F800000u);
  const Instruction unpack = parseOne("mov.b64 {%r1, _}, %rd1;");
  EXPECT_EQ(unpack.operands[0].elements.size(), 2u);
  const Instruction pack = parseOne("mov.b64 %rd1, {%rs1, %rs2, 7, %h1};");
  EXPECT_EQ(pack.operands[1].elements[2].bits, 7u);
}

// As Triton writes them, and ptxas takes them: of loads, stores and mov alone.
TEST(Operands, OneValueMayStandInBraces) {
  for (const char* text :
       {"ld.global.b32 {%r1}, [%rd1];", "ldu.global.b32 {%r1}, [%rd1];", "mov.b32 {%r1}, %r2;", "ld.volatile.shared.b32 { %r1 }, [s];"}) {
    const Operand loaded = parseOne(text).operands[0];
    EXPECT_EQ(loaded.kind, Kind::reg) << text;
    EXPECT_TRUE(loaded.elements.empty()) << text;
  }
  EXPECT_EQ(parseOne("st.global.b32 [%rd1], {%r1};").operands[1].kind, Kind::reg);
  EXPECT_EQ(parseOne("st.global.b32 [%rd1], {7};").operands[1].bits, 7u);
  EXPECT_EQ(parseOne("mov.b32 %r1, {%r2};").operands[1].kind, Kind::reg);
  for (const char* text : {"add.u32 {%r1}, %r2, 1;", "cvt.u32.u16 {%r1}, %rs1;", "atom.global.add.u32 {%r1}, [%rd1], 1;",
                           "red.global.add.u32 [%rd1], {%r1};", "ld.global.b32 {_}, [%rd1];", "ld.global.b32 {%r1, %r2}, [%rd1];"})
    EXPECT_THROW(parseOne(text), Error) << text;
}

TEST(Operands, SecondDestinationsAndNegations) {
  const Function function =
      parseKernel("setp.eq.and.s32 %p1|%p2, %r1, %r2, !%p3; shfl.sync.up.b32 %r1|%p4, %r2, 1, 0, -1; setp.eq.s32 _|%p1, %r1, 0;");
  const Instruction& setp = function.body[0];
  EXPECT_EQ(registerName(function, setp.operands[0]), "%p1");
  EXPECT_EQ(registerName(function, setp.secondDestination), "%p2");
  ASSERT_EQ(setp.operands.size(), 4u);
  EXPECT_TRUE(setp.operands[3].negated);
  EXPECT_EQ(registerName(function, function.body[1].secondDestination), "%p4");
  EXPECT_EQ(function.body[2].operands[0].kind, Kind::discard);
}

TEST(Operands, AbsentOptionalOperandsKeepTheirPlace) {
  const Instruction without = parseOne("bar.red.popc.u32 %r1, 0, %p1;");
  ASSERT_EQ(without.operands.size(), 4u);
  EXPECT_EQ(without.operands[2].kind, Kind::none);
  EXPECT_EQ(without.operands[3].kind, Kind::reg);
  const Instruction with = parseOne("bar.red.popc.u32 %r1, 0, 64, %p1;");
  EXPECT_EQ(with.operands[2].bits, 64u);
  const Instruction sync = parseOne("bar.sync 0;");
  ASSERT_EQ(sync.operands.size(), 2u);
  EXPECT_EQ(sync.operands[1].kind, Kind::none);
}

TEST(Operands, SpecialRegistersMoveAndConvert) {
  const Instruction move = parseOne("mov.u32 %r1, %ntid.y;");
  EXPECT_EQ(move.operands[1].kind, Kind::special);
  EXPECT_EQ(move.operands[1].special, SpecialRegister::ntid_y);
  EXPECT_EQ(parseOne("mov.u64 %rd1, %clock64;").operands[1].special, SpecialRegister::clock64);
  EXPECT_EQ(parseOne("cvt.u64.u32 %rd1, %laneid;").operands[1].special, SpecialRegister::laneid);
  EXPECT_EQ(parseOne("mov.u16 %rs1, %tid.x;").operands[1].special, SpecialRegister::tid_x);
}

TEST(Operands, RegistersMayBeWiderForLoadsStoresAndConversions) {
  EXPECT_NO_THROW(parseOne("ld.global.u8 %r1, [%rd1];"));
  EXPECT_NO_THROW(parseOne("st.global.u8 [%rd1], %rs1;"));
  EXPECT_NO_THROW(parseOne("cvt.u32.u8 %rd1, %r1;"));
  EXPECT_NO_THROW(parseOne("ld.shared.f32 %f1, [%r1];"));
}

struct BadOperand {
  const char* statement;
  u32 column;
  const char* part;  // of the message
};
class OperandErrors : public ::testing::TestWithParam<BadOperand> {};
TEST_P(OperandErrors, SayWhereAndWhy) {
  const Error error = errorInKernel(GetParam().statement);
  EXPECT_EQ(error.where().line, kFirstBodyLine) << error.what();
  EXPECT_EQ(error.where().column, GetParam().column) << error.what();
  EXPECT_TRUE(contains(error.message(), GetParam().part)) << error.what();
  EXPECT_TRUE(contains(error.message(), "'k'")) << error.what();
}
INSTANTIATE_TEST_SUITE_P(
    All, OperandErrors,
    ::testing::Values(
        BadOperand{"add.s32 %r1, %f1, %r2;", 14, "'%f1' is .f32 where .s32"},
        BadOperand{"add.s32 %r1, %r2;", 17, "takes 3 operands, not 2"},
        BadOperand{"add.s32 %r1, %r2, %r3, %r4;", 27, "takes 3 operands, not 4"},
        BadOperand{"add.s32 7, %r1, %r2;", 9, "destination must be a register"}, BadOperand{"add.s32 _, %r1, %r2;", 9, "discarded"},
        BadOperand{"add.s64 %rd1, %rd2, %r1;", 21, ".b32 where .s64"}, BadOperand{"mov.f32 %f1, 0;", 14, "no constant of type .f32"},
        BadOperand{"mov.u32 %r1, 0f3F800000;", 14, "no constant of type .u32"}, BadOperand{"mov.u32 %r1, %undeclared;", 14, "not declared"},
        BadOperand{"mov.u32 %r1, nothing;", 14, "not declared"}, BadOperand{"mov.u32 %r1, %r9;", 14, "not declared"},
        BadOperand{"@%r1 exit;", 2, "predicate register"}, BadOperand{"selp.b32 %r1, %r2, %r3, %r4;", 25, ".b32 where .pred"},
        BadOperand{"ld.shared.u32 %r1, [g];", 20, "space .global, not .shared"},
        BadOperand{"ld.global.u32 %r1, [%f1];", 20, "address register"}, BadOperand{"ld.global.u32 %r1, [%rs1];", 20, "address register"},
        BadOperand{"ld.global.u32 %r1, %rd1;", 20, "address in [ ]"}, BadOperand{"ld.global.u32 %rs1, [%rd1];", 15, ".b16 where .u32"},
        BadOperand{"ld.global.v2.u32 {%r1}, [%rd1];", 18, "2 elements"},
        BadOperand{"ld.shared.v4.u64 {%rd1,%rd2,%rd3,%rd4}, [%rd1];", 18, "16 bytes"}, BadOperand{"ld.u32 %r1, [k];", 13, "function"},
        BadOperand{"ld.u32 %r1, [%tid.x];", 14, "special register"}, BadOperand{"add.u32 %r1, %r2, %tid.x;", 19, "mov and cvt"},
        BadOperand{"mov.u64 %rd1, %tid.x;", 15, ".u32 where .u64"}, BadOperand{"mov.b32 {%r1, %r2}, %r3;", 9, ".b32 where .b16"},
        BadOperand{"lop3.b32 %r1, %r2, %r3, %r4, 256;", 30, "0 to 255"}, BadOperand{"lop3.b32 %r1, %r2, %r3, %r4, %r5;", 30, "0 to 255"},
        BadOperand{"add.s32 %r1|%p1, %r2, %r3;", 9, "second destination"},
        BadOperand{"setp.eq.s32 %p1|%r1, %r2, %r3;", 17, "second destination"},
        BadOperand{"shl.b64 %rd1, %rd2, %rd3;", 21, ".b64 where .u32"}, BadOperand{"neg.s32 %r1, !%r2;", 14, "'!'"},
        BadOperand{"st.global.u64 [%rd1], g;", 23, "moved to a register"}, BadOperand{"ld.u32 %r1, [%rd1+1.5];", 18, "displacement"},
        BadOperand{"ld.u32 %r1, [%rd1+0x20000000000];", 18, "displacement"}, BadOperand{"brx.idx %r1, 5;", 14, "label"},
        BadOperand{"bra %r1;", 5, "label"}, BadOperand{"elect.sync %r1, -1;", 12, "predicate must follow"},
        BadOperand{"mov.u32 %r1, 18446744073709551616;", 14, "64 bits"}));

}  // namespace
}  // namespace warpwright::ptx
