// Boxes of tensors (PTX ISA, "Tensors", tiled mode; CUDA programming guide, "TMA swizzle").
#include "exec/tensor_tile.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <random>
#include <set>

namespace warpwright::exec {
namespace {

using isa::TensorMap;
using Swizzle = TensorMap::Swizzle;

// The guide has it as pieces of 16 bytes: the one in column x of the line y of 128 bytes lies in column x ^ y % 8, % 4 or % 2.
TEST(Swizzles, AreThoseOfTheGuide) {
  constexpr std::pair<Swizzle, u64> kModes[] = {{Swizzle::none, 1}, {Swizzle::bytes32, 2}, {Swizzle::bytes64, 4}, {Swizzle::bytes128, 8}};
  for (const auto& [swizzle, lines] : kModes) {
    std::set<u64> reached;
    for (u64 offset = 0; offset < 4096; ++offset) {
      const u64 y = offset / 128, x = offset / 16 % 8;
      EXPECT_EQ(swizzled(swizzle, offset), y * 128 + (x ^ y % lines) * 16 + offset % 16) << offset;
      reached.insert(swizzled(swizzle, offset));
    }
    EXPECT_EQ(reached.size(), 4096u);
  }
}

struct Shape {
  u32 rank = 1;
  std::array<u32, 5> sizes{}, box{}, steps{};
};

TensorMap mapOfShape(const Shape& shape, TensorMap::Element element) {
  TensorMap map;
  map.globalAddress = 0x4000'0000;
  map.rank = static_cast<u8>(shape.rank - 1);
  map.element = element;
  map.globalDim = shape.sizes;
  map.boxDim = shape.box;
  map.elementStride = shape.steps;
  u64 stride = (u64{shape.sizes[0]} * isa::sizeOf(element) + 15) / 16 * 16;
  for (u32 i = 1; i < shape.rank; ++i) {
    map.globalStride[i - 1] = stride;
    stride *= shape.sizes[i];
  }
  return map;
}

// For each byte of the box, where it comes from; 0: from outside the tensor. Element by element, as the manual says it.
std::vector<u64> sourcesOf(const TensorMap& map, std::span<const s32> coordinates) {
  std::vector<u64> sources;
  std::array<u32, 5> index{};
  const u32 bytes = isa::sizeOf(map.element);
  for (;;) {
    u64 address = map.globalAddress;
    bool isInside = true;
    for (u32 i = 0; i < map.dimensions(); ++i) {
      const s64 at = s64{coordinates[i]} + s64{index[i]} * (i == 0 ? 1 : map.elementStride[i]);
      isInside &= at >= 0 && at < static_cast<s64>(map.globalDim[i]);
      address += static_cast<u64>(at) * (i == 0 ? bytes : map.globalStride[i - 1]);
    }
    for (u32 byte = 0; byte < bytes; ++byte) sources.push_back(isInside ? address + byte : 0);
    u32 i = 0;
    while (i < map.dimensions() && ++index[i] == map.moved(i)) index[i++] = 0;
    if (i == map.dimensions()) return sources;
  }
}

TEST(Boxes, AreThoseOfTheManual) {
  std::mt19937 random(17);
  const auto below = [&](u32 limit) { return static_cast<u32>(random() % limit); };
  constexpr TensorMap::Element kElements[] = {TensorMap::Element::u8, TensorMap::Element::f16, TensorMap::Element::f32,
                                              TensorMap::Element::f64};
  for (u32 round = 0; round < 400; ++round) {
    const TensorMap::Element element = kElements[below(4)];
    Shape shape;
    shape.rank = 1 + below(5);
    std::array<s32, 5> coordinates{};
    for (u32 i = 0; i < shape.rank; ++i) {
      shape.sizes[i] = 1 + below(i == 0 ? 70 : 6);
      shape.steps[i] = 1 + below(3);
      shape.box[i] = i == 0 ? (1 + below(4)) * 16 / isa::sizeOf(element) : 1 + below(5);
      coordinates[i] = static_cast<s32>(below(shape.sizes[i] + 10)) - 5;
    }
    const TensorMap map = mapOfShape(shape, element);
    ASSERT_EQ(isa::problemOf(map), "");
    const std::vector<u64> expected = sourcesOf(map, coordinates);
    ASSERT_EQ(boxBytes(map), expected.size());
    std::vector<GlobalRun> runs;
    addRuns(map, coordinates, RowEnd::element, runs);
    std::vector<u64> sources(expected.size());
    for (const GlobalRun& run : runs)
      for (u32 byte = 0; byte < run.bytes; ++byte) sources.at(run.at + byte) = run.address + byte;
    ASSERT_EQ(sources, expected) << "round " << round;
  }
}

TEST(Boxes, StepsLeaveElementsOut) {
  TensorMap map = mapOfShape({2, {64, 64}, {4, 7}, {1, 3}}, TensorMap::Element::f32);
  EXPECT_EQ(boxBytes(map), 16u * 3) << "7 / 3, rounded up";
  std::vector<GlobalRun> runs;
  addRuns(map, std::array{8, 1}, RowEnd::element, runs);
  const GlobalAddress base(map.globalAddress + 32);
  EXPECT_EQ(runs, (std::vector<GlobalRun>{{base + 256, 16, 0}, {base + 4 * 256, 16, 16}, {base + 7 * 256, 16, 32}}));
}

// As the H100 wrote rows of 17 to 33 elements (data/hardware/h100-3/tensor-edges.csv).
TEST(Boxes, StoresWriteTheLastPieceOfARowWhole) {
  const auto bytesOf = [](TensorMap::Element element, u32 size, s32 x) {
    const TensorMap map = mapOfShape({2, {size, 3}, {32, 1}, {1, 1}}, element);
    std::vector<GlobalRun> runs;
    addRuns(map, std::array{x, 1}, RowEnd::piece, runs);
    return runs.empty() ? 0 : runs.front().bytes;
  };
  EXPECT_EQ(bytesOf(TensorMap::Element::u8, 17, 0), 32u);
  EXPECT_EQ(bytesOf(TensorMap::Element::u8, 17, 16), 16u);
  EXPECT_EQ(bytesOf(TensorMap::Element::u8, 33, 0), 32u) << "no more than the box";
  EXPECT_EQ(bytesOf(TensorMap::Element::u16, 17, 0), 48u);
  EXPECT_EQ(bytesOf(TensorMap::Element::u32, 18, 4), 64u);
  EXPECT_EQ(bytesOf(TensorMap::Element::u32, 20, 16), 16u);
  EXPECT_EQ(bytesOf(TensorMap::Element::u32, 18, 20), 0u) << "none of its elements are the tensor's";
  EXPECT_EQ(bytesOf(TensorMap::Element::u64, 31, 0), 256u);
}

TEST(Boxes, AreFilledOutside) {
  TensorMap map = mapOfShape({1, {64}, {8}, {1}}, TensorMap::Element::f16);
  std::array<std::byte, 16> box;
  box.fill(std::byte{1});
  fillOutside(map, box);
  EXPECT_EQ(box, (std::array<std::byte, 16>{}));
  map.fill = TensorMap::Fill::nan;
  fillOutside(map, box);
  for (u32 i = 0; i < 8; ++i) {
    u16 half = 0;
    std::memcpy(&half, &box[2 * i], 2);
    EXPECT_EQ(half, 0x7fff);
  }
  map.element = TensorMap::Element::f64;
  fillOutside(map, box);
  double value = 0;
  std::memcpy(&value, box.data(), 8);
  EXPECT_TRUE(std::isnan(value));
  EXPECT_FALSE(std::signbit(value));
}

float converted(TensorMap::Element element, u32 bits) {
  std::array<std::byte, 4> bytes;
  std::memcpy(bytes.data(), &bits, 4);
  convertElements(element, bytes);
  return std::bit_cast<float>(bytes);
}

TEST(Elements, AreConvertedByTheirType) {
  using E = TensorMap::Element;
  EXPECT_EQ(std::bit_cast<u32>(converted(E::f32, 0x0000'0123)), 0x0000'0123u);
  EXPECT_EQ(std::bit_cast<u32>(converted(E::f32_ftz, 0x8000'0123)), 0x8000'0000u);
  EXPECT_EQ(std::bit_cast<u32>(converted(E::tf32, 0x3f80'1000)), 0x3f80'0000u) << "a tie, to the even neighbour";
  EXPECT_EQ(std::bit_cast<u32>(converted(E::tf32, 0x3f80'1001)), 0x3f80'2000u);
  EXPECT_EQ(std::bit_cast<u32>(converted(E::tf32, 0x3f80'3000)), 0x3f80'4000u);
  EXPECT_EQ(std::bit_cast<u32>(converted(E::tf32_ftz, 0x0000'0123)), 0u);
  EXPECT_TRUE(std::isinf(converted(E::tf32, 0x7f80'0000)));
}

}  // namespace
}  // namespace warpwright::exec
