#include "sass/modifiers.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "sass/kernel_header.hpp"

namespace warpwright::sass {
namespace {

using isa::DataType;
using isa::MatrixElement;

// Calls visit(modifier) for each, until one gives true.
template <class Visit>
void anyModifier(std::string_view opcode, Visit visit) {
  std::size_t dot = opcode.find('.');
  while (dot != std::string_view::npos) {
    const std::size_t end = opcode.find('.', dot + 1);
    if (visit(opcode.substr(dot + 1, end == std::string_view::npos ? end : end - dot - 1))) return;
    dot = end;
  }
}

struct TypeName {
  std::string_view name;
  DataType type;
};

constexpr std::array<TypeName, 4> kFloats{
    {{"F16", DataType::f16}, {"BF16", DataType::bf16}, {"F32", DataType::f32}, {"F64", DataType::f64}}};
constexpr std::array<TypeName, 8> kIntegers{{{"U8", DataType::u8},
                                             {"S8", DataType::s8},
                                             {"U16", DataType::u16},
                                             {"S16", DataType::s16},
                                             {"U32", DataType::u32},
                                             {"S32", DataType::s32},
                                             {"U64", DataType::u64},
                                             {"S64", DataType::s64}}};
constexpr std::array<TypeName, 10> kAtomics{{{"64", DataType::u64},
                                             {"U64", DataType::u64},
                                             {"S64", DataType::s64},
                                             {"S32", DataType::s32},
                                             {"F32", DataType::f32},
                                             {"F64", DataType::f64},
                                             {"F16x2", DataType::f16x2},
                                             {"BF16x2", DataType::bf16x2},
                                             {"F16X2", DataType::f16x2},
                                             {"BF16X2", DataType::bf16x2}}};

template <class Names>
std::optional<DataType> typeAmong(std::string_view opcode, const Names& names, u32 which) {
  std::optional<DataType> found;
  anyModifier(opcode, [&](std::string_view modifier) {
    const auto row = std::ranges::find(names, modifier, &TypeName::name);
    if (row == names.end() || which-- != 0) return false;
    found = row->type;
    return true;
  });
  return found;
}

struct Shape {
  u8 m = 0;
  u16 n = 0, k = 0;
};

struct ShapeName {
  std::string_view name;
  Shape shape;
};

// PTX ISA, "Warp Level Matrix Multiply-Accumulate Instructions"; SASS writes the numbers of m, n and k behind one another.
constexpr std::array<ShapeName, 11> kShapes{{{"884", {8, 8, 4}},
                                             {"1684", {16, 8, 4}},
                                             {"1688", {16, 8, 8}},
                                             {"16816", {16, 8, 16}},
                                             {"8816", {8, 8, 16}},
                                             {"8832", {8, 8, 32}},
                                             {"16832", {16, 8, 32}},
                                             {"16864", {16, 8, 64}},
                                             {"88128", {8, 8, 128}},
                                             {"168128", {16, 8, 128}},
                                             {"168256", {16, 8, 256}}}};

// "64x128x16", of the four warps of a group: each has a quarter of the rows.
std::optional<Shape> groupShape(std::string_view modifier) {
  std::array<u32, 3> numbers{};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto [end, error] = std::from_chars(modifier.data(), modifier.data() + modifier.size(), numbers[i]);
    if (error != std::errc{}) return std::nullopt;
    modifier.remove_prefix(static_cast<std::size_t>(end - modifier.data()));
    const bool isLast = i + 1 == numbers.size();
    if (isLast != modifier.empty() || (!isLast && modifier.front() != 'x')) return std::nullopt;
    if (!isLast) modifier.remove_prefix(1);
  }
  constexpr u32 kRows = 64, kMostColumns = 256, kMostDepth = 256;
  const u32 columns = numbers[1];
  if (numbers[0] != kRows || numbers[2] == 0 || numbers[2] > kMostDepth || columns == 0 || columns > kMostColumns) return std::nullopt;
  return Shape{kRows / isa::kWarpsOfGroup, static_cast<u16>(columns), static_cast<u16>(numbers[2])};
}

MatrixElement elementOf(std::string_view opcode) {
  if (opcode.starts_with('H')) {
    if (hasModifier(opcode, "TF32")) return MatrixElement::tf32;
    return hasModifier(opcode, "BF16") ? MatrixElement::bf16 : MatrixElement::f16;
  }
  if (opcode.starts_with('D')) return MatrixElement::f64;
  if (opcode.starts_with('B')) return MatrixElement::b1;
  if (opcode.starts_with('Q')) return MatrixElement::e4m3;
  return hasModifier(opcode, "S4") || hasModifier(opcode, "U4") ? MatrixElement::s4 : MatrixElement::s8;
}

MatrixElement accumulatorOf(std::string_view opcode, MatrixElement element) {
  if (element == MatrixElement::f64) return element;
  if (element == MatrixElement::s8 || element == MatrixElement::s4 || element == MatrixElement::b1) return MatrixElement::s32;
  return element == MatrixElement::f16 && !hasModifier(opcode, "F32") ? MatrixElement::f16 : MatrixElement::f32;
}

// Registers of a lane that hold its part of so many elements.
u8 wordsFor(u32 elements, MatrixElement element) {
  constexpr u32 kBitsOfRegister = 32 * kWarpSize;
  return static_cast<u8>(std::max(1u, elements * isa::bitsOf(element) / kBitsOfRegister));
}

// Operands of a warp group lie in shared memory, but for the accumulators and perhaps A: what registers a line names are these.
std::array<u8, 4> groupWords(const isa::Matrix& matrix, u32 sources) {
  const u8 accumulators = wordsFor(u32{matrix.m} * matrix.n, matrix.d);
  if (sources < 2) return {accumulators, accumulators, 0, 0};
  return {accumulators, wordsFor(u32{matrix.m} * matrix.k, matrix.a), accumulators, 0};
}

std::array<u8, 4> warpWords(const isa::Matrix& matrix, bool isStep) {
  // Volta's 8x8x4 takes steps, each with pairs of registers.
  if (isStep) return {2, 2, 2, 2};
  return {wordsFor(u32{matrix.m} * matrix.n, matrix.d), wordsFor(u32{matrix.m} * matrix.k, matrix.a),
          wordsFor(u32{matrix.n} * matrix.k, matrix.b), wordsFor(u32{matrix.m} * matrix.n, matrix.c)};
}

}  // namespace

bool hasModifier(std::string_view opcode, std::string_view modifier) {
  bool found = false;
  anyModifier(opcode, [&](std::string_view each) { return found = each == modifier; });
  return found;
}

ElementWidth widthOf(std::string_view opcode) {
  if (hasModifier(opcode, "128")) return {DataType::u32, 4};
  if (hasModifier(opcode, "64")) return {DataType::u32, 2};
  const std::optional<DataType> narrow = integerType(opcode);
  return narrow && isa::sizeOf(*narrow) < 4 ? ElementWidth{*narrow, 1} : ElementWidth{};
}

DataType atomicType(std::string_view opcode) { return typeAmong(opcode, kAtomics, 0).value_or(DataType::u32); }

std::optional<DataType> floatType(std::string_view opcode, u32 which) { return typeAmong(opcode, kFloats, which); }
std::optional<DataType> integerType(std::string_view opcode) { return typeAmong(opcode, kIntegers, 0); }

std::optional<isa::Matrix> matrixOf(std::string_view opcode, u32 sources) {
  std::optional<Shape> shape;
  bool isGroup = false;
  anyModifier(opcode, [&](std::string_view modifier) {
    const auto row = std::ranges::find(kShapes, modifier, &ShapeName::name);
    if (row != kShapes.end()) shape = row->shape;
    if (!shape) isGroup = (shape = groupShape(modifier)).has_value();
    return shape.has_value();
  });
  if (!shape) return std::nullopt;
  isa::Matrix matrix;
  matrix.m = shape->m;
  matrix.n = shape->n;
  matrix.k = shape->k;
  matrix.a = matrix.b = elementOf(opcode);
  matrix.c = matrix.d = accumulatorOf(opcode, matrix.a);
  const bool isStep = matrix.a == MatrixElement::f16 && matrix.k == 4;
  matrix.words = isGroup ? groupWords(matrix, sources) : warpWords(matrix, isStep);
  matrix.sharedA = isGroup && sources < 2;
  return matrix;
}

u32 matricesMoved(std::string_view opcode) {
  if (hasModifier(opcode, "4")) return 4;
  return hasModifier(opcode, "2") ? 2 : 1;
}

}  // namespace warpwright::sass
