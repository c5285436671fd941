// Variables at module scope and their initial values.
#include <bit>
#include <cstring>

#include "parse_helpers.hpp"

namespace warpwright::ptx {
namespace {

Variable parseVariable(const std::string& declaration) { return parseModule(declaration).variables.at(0); }

template <typename Value>
Value at(const Variable& variable, std::size_t offset) {
  Value value;
  EXPECT_LE(offset + sizeof(Value), variable.image.size());
  std::memcpy(&value, variable.image.data() + offset, sizeof(Value));
  return value;
}

TEST(Variables, ScalarsHaveTheirNaturalAlignment) {
  const Variable variable = parseVariable(".visible .global .u64 x;");
  EXPECT_EQ(variable.name, "x");
  EXPECT_EQ(variable.space, Space::global);
  EXPECT_EQ(variable.alignment, 8u);
  EXPECT_EQ(variable.size, 8u);
  EXPECT_EQ(variable.linkage, Linkage::visible);
  EXPECT_FALSE(variable.isArray);
  EXPECT_TRUE(variable.image.empty());
  EXPECT_EQ(parseVariable(".const .align 32 .b8 x[3];").alignment, 32u);
  EXPECT_EQ(parseVariable(".global .v4 .f32 x;").alignment, 16u);
  EXPECT_EQ(parseVariable(".global .v4 .f32 x[2];").size, 32u);
  EXPECT_EQ(parseVariable(".shared .f32 x[16][17];").size, 16u * 17 * 4);
  EXPECT_TRUE(parseVariable(".global .attribute(.managed) .align 4 .u32 x;").managed);
}

TEST(Variables, DynamicSharedMemoryHasNoSize) {
  const Variable variable = parseVariable(".extern .shared .align 16 .b8 x[];");
  EXPECT_TRUE(variable.unsized);
  EXPECT_EQ(variable.size, 0u);
  EXPECT_EQ(variable.linkage, Linkage::extern_);
}

TEST(Variables, InitialValuesAreLittleEndianBytes) {
  const Variable integers = parseVariable(".global .s16 x[4] = {1, -2, 0x1234};");
  EXPECT_EQ(integers.image, (std::vector<u8>{1, 0, 0xfe, 0xff, 0x34, 0x12}));
  EXPECT_EQ(integers.size, 8u);
  const Variable floats = parseVariable(".global .f32 x[3] = {0f3F800000, 2.5, -0f40400000};");
  EXPECT_EQ(at<float>(floats, 0), 1.0f);
  EXPECT_EQ(at<float>(floats, 4), 2.5f);
  EXPECT_EQ(at<float>(floats, 8), -3.0f);
  EXPECT_EQ(at<double>(parseVariable(".global .f64 x = 0d4004000000000000;"), 0), 2.5);
  EXPECT_EQ(at<u64>(parseVariable(".global .u64 x = 0xFFFFFFFFFFFFFFFF;"), 0), ~u64{0});
  EXPECT_EQ(at<s32>(parseVariable(".global .s32 x = (3 + 4) * -2;"), 0), -14);
}

TEST(Variables, NestedAndVectorValues) {
  const Variable grid = parseVariable(".global .u8 x[3][2] = {{1}, {2, 3}};");
  EXPECT_EQ(grid.image, (std::vector<u8>{1, 0, 2, 3}));
  const Variable vectors = parseVariable(".global .v2 .u16 x[2] = {{1, 2}, {3, 4}};");
  EXPECT_EQ(vectors.image, (std::vector<u8>{1, 0, 2, 0, 3, 0, 4, 0}));
  const Variable open = parseVariable(".const .u32 x[][2] = {{1, 2}, {3, 4}, {5}};");
  EXPECT_EQ(open.size, 24u);
  EXPECT_FALSE(open.unsized);
}

TEST(Variables, AddressesBecomeRelocations) {
  const Module module = parseModule(
      ".global .u32 a[4];\n.extern .func f();\n"
      ".global .u64 x[5] = {a, a+8, generic(a)-4, f, a+4-2};\n.global .u32 y = a;");
  const auto& relocations = module.variables[1].relocations;
  ASSERT_EQ(relocations.size(), 5u);
  EXPECT_EQ(relocations[0].symbol, (SymbolRef{SymbolKind::module_variable, 0}));
  EXPECT_EQ(relocations[0].width, 8);
  EXPECT_EQ(relocations[1].offset, 8u);
  EXPECT_EQ(relocations[1].addend, 8);
  EXPECT_FALSE(relocations[1].generic);
  EXPECT_TRUE(relocations[2].generic);
  EXPECT_EQ(relocations[2].addend, -4);
  EXPECT_EQ(relocations[3].symbol, (SymbolRef{SymbolKind::function, 0}));
  EXPECT_EQ(relocations[4].addend, 2);
  EXPECT_EQ(module.variables[2].relocations[0].width, 4);
}

TEST(Variables, MasksTakeOneByteOfAnAddress) {
  const Variable variable =
      parseModule(".global .u32 a;\n.global .u8 x[4] = {7, 0xFF(a), 0xFF0000(a+4), 0xFF00000000000000(generic(a))};").variables[1];
  ASSERT_EQ(variable.relocations.size(), 3u);
  EXPECT_EQ(variable.relocations[0].offset, 1u);
  EXPECT_EQ(variable.relocations[0].width, 1);
  EXPECT_EQ(variable.relocations[0].shift, 0);
  EXPECT_EQ(variable.relocations[1].shift, 16);
  EXPECT_EQ(variable.relocations[1].addend, 4);
  EXPECT_EQ(variable.relocations[2].shift, 56);
  EXPECT_TRUE(variable.relocations[2].generic);
  EXPECT_EQ(variable.image[0], 7);
}

TEST(Variables, ExternDeclarationMeetsItsDefinition) {
  const Module module = parseModule(".extern .global .u32 x;\n.visible .global .u32 x = 5;\n.extern .global .u32 x;");
  ASSERT_EQ(module.variables.size(), 1u);
  EXPECT_EQ(module.variables[0].image.size(), 4u);
  EXPECT_EQ(module.findVariable("x"), 0u);
}

TEST(Variables, SeveralInOneDeclaration) {
  const Module module = parseModule(".global .align 16 .u32 x, y[3], z = 4;");
  ASSERT_EQ(module.variables.size(), 3u);
  EXPECT_EQ(module.variables[1].size, 12u);
  EXPECT_EQ(module.variables[2].alignment, 16u);
}

struct BadVariable {
  const char* text;
  u32 column;
  const char* part;
};
class VariableErrors : public ::testing::TestWithParam<BadVariable> {};
TEST_P(VariableErrors, SayWhereAndWhy) {
  const Error error = errorOf(std::string(kPreamble) + GetParam().text);
  EXPECT_EQ(error.where().line, kPreambleLines + 1) << error.what();
  EXPECT_EQ(error.where().column, GetParam().column) << error.what();
  EXPECT_TRUE(contains(error.message(), GetParam().part)) << error.what();
}
INSTANTIATE_TEST_SUITE_P(
    All, VariableErrors,
    ::testing::Values(BadVariable{".global .align 3 .u32 x;", 16, "power of two"},
                      BadVariable{".global .align 131072 .u32 x;", 16, "from 1 to 65536"}, BadVariable{".global .pred x;", 1, "predicate"},
                      BadVariable{".global x;", 9, "no type"}, BadVariable{".global .u32 x[2] = {1, 2, 3};", 28, "more initial values"},
                      BadVariable{".global .u32 x[2][2] = {1, 2};", 25, "expected '{'"},
                      BadVariable{".global .u32 x = 0f3F800000;", 18, "no .u32"}, BadVariable{".global .f32 x = 1;", 18, "no .f32"},
                      BadVariable{".shared .u32 x = 1;", 16, "no initial value"}, BadVariable{".global .u32 x[];", 14, "no size"},
                      BadVariable{".global .u32 x[2][];", 19, "first dimension"}, BadVariable{".global .u32 x[-1];", 16, "array bound"},
                      BadVariable{".global .u8 x[1048576][1048576][2];", 13, "2^40"},
                      BadVariable{".global .u8 x[18446744073709551616];", 15, "64 bits"},
                      BadVariable{".global .u8 x[2][1000000000] = {{1},{1}};", 38, "2^26"},
                      BadVariable{".global .u64 x = nobody;", 18, "not declared"},
                      BadVariable{".global .u16 y; .global .u16 x = y;", 35, "4 or 8 bytes"},
                      BadVariable{".global .u32 y; .global .u32 x = 0xFF(y);", 34, "bytes only"},
                      BadVariable{".global .u32 y; .global .u8 x = 0xFF1(y);", 33, "select one byte"},
                      BadVariable{".global .u32 x; .global .u32 x;", 30, "defined twice"},
                      BadVariable{".global .u32 x; .func x();", 23, "variable already"},
                      BadVariable{".func x(); .global .u32 x;", 25, "function already"}, BadVariable{".reg .u32 x;", 1, "module scope"},
                      BadVariable{".local .u32 x;", 1, "module scope"}, BadVariable{".global .u32 x<4>;", 14, "registers only"},
                      BadVariable{".global .u32 x", 15, "expected ';'"}, BadVariable{".global .v4 .f64 x;", 1, "16 bytes"}));

TEST(Variables, NestedBracesAreBoundedByTheDimensions) {
  EXPECT_THROW(parseModule(".global .u32 x[2] = " + std::string(100000, '{')), Error);
  std::string dimensions;
  for (int i = 0; i < 100000; ++i) dimensions += "[1]";
  EXPECT_THROW(parseModule(".global .u32 x" + dimensions + ";"), Error);
}

}  // namespace
}  // namespace warpwright::ptx
