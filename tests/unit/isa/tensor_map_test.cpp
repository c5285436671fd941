// What a tensor map may be (CUDA driver API, "cuTensorMapEncodeTiled").
#include "isa/tensor_map.hpp"

#include <gtest/gtest.h>

namespace warpwright::isa {
namespace {

// 100 x 60 floats, boxes of 32 x 8.
TensorMap rightMap() {
  TensorMap map;
  map.globalAddress = 0x2000'0000;
  map.rank = 1;
  map.element = TensorMap::Element::f32;
  map.globalDim = {100, 60};
  map.boxDim = {32, 8};
  map.elementStride = {1, 1};
  map.globalStride = {400};
  return map;
}

struct MapChange {
  const char* name;
  void (*change)(TensorMap&);
  const char* problem;  // a part of it; empty: there is none
};
void PrintTo(const MapChange& change, std::ostream* to) { *to << change.name; }

class TensorMapProblems : public ::testing::TestWithParam<MapChange> {};

TEST_P(TensorMapProblems, AreFound) {
  TensorMap map = rightMap();
  GetParam().change(map);
  const std::string problem = problemOf(map), wanted = GetParam().problem;
  EXPECT_EQ(problem.empty(), wanted.empty()) << problem;
  EXPECT_NE(problem.find(wanted), std::string::npos) << problem;
}

INSTANTIATE_TEST_SUITE_P(
    All, TensorMapProblems,
    ::testing::Values(MapChange{"none", [](TensorMap&) {}, ""}, MapChange{"mark", [](TensorMap& m) { ++m.mark; }, "overwritten"},
                      MapChange{"rank", [](TensorMap& m) { m.rank = 5; }, "rank is 6"},
                      MapChange{"element", [](TensorMap& m) { m.element = static_cast<TensorMap::Element>(13); }, "element type"},
                      MapChange{"atomicity", [](TensorMap& m) { m.atomicity = 1; }, "atomicity"},
                      MapChange{"swizzle", [](TensorMap& m) { m.swizzle = static_cast<TensorMap::Swizzle>(4); }, "swizzle mode"},
                      MapChange{"promotion", [](TensorMap& m) { m.promotion = 4; }, "promotion"},
                      MapChange{"fill", [](TensorMap& m) { m.fill = static_cast<TensorMap::Fill>(2); }, "fill mode"},
                      MapChange{"address", [](TensorMap& m) { m.globalAddress += 8; }, "multiple of 16"},
                      MapChange{"emptyBox", [](TensorMap& m) { m.boxDim[1] = 0; }, "dimension 1"},
                      MapChange{"greatestBox", [](TensorMap& m) { m.boxDim[1] = 256; }, ""},
                      MapChange{"longBox", [](TensorMap& m) { m.boxDim[1] = 257; }, "dimension 1"},
                      MapChange{"boxBeyondRank", [](TensorMap& m) { m.boxDim[2] = 1000; }, ""},
                      MapChange{"innerBytes", [](TensorMap& m) { m.boxDim[0] = 30; }, "no multiple of 16"},
                      MapChange{"noStep", [](TensorMap& m) { m.elementStride[1] = 0; }, "element stride"},
                      MapChange{"longStep", [](TensorMap& m) { m.elementStride[1] = 9; }, "element stride"},
                      MapChange{"ignoredStep", [](TensorMap& m) { m.elementStride[0] = 0; }, ""},
                      MapChange{"stride", [](TensorMap& m) { m.globalStride[0] = 404; }, "stride of dimension 1"},
                      MapChange{"longStride", [](TensorMap& m) { m.globalStride[0] = u64{1} << 40; }, "stride of dimension 1"},
                      MapChange{"swizzleOfInner", [](TensorMap& m) { m.swizzle = TensorMap::Swizzle::bytes128; }, ""},
                      MapChange{"swizzleBelowInner", [](TensorMap& m) { m.swizzle = TensorMap::Swizzle::bytes64; }, "swizzle spans 64"},
                      MapChange{"swizzleOf64",
                                [](TensorMap& m) {
                                  m.swizzle = TensorMap::Swizzle::bytes64;
                                  m.boxDim[0] = 16;
                                },
                                ""},
                      MapChange{"nan", [](TensorMap& m) { m.fill = TensorMap::Fill::nan; }, ""},
                      MapChange{"nanOfIntegers",
                                [](TensorMap& m) {
                                  m.fill = TensorMap::Fill::nan;
                                  m.element = TensorMap::Element::s32;
                                },
                                "NaN"},
                      MapChange{"interleavedMatrix", [](TensorMap& m) { m.interleave = TensorMap::Interleave::bytes16; }, "3 to 5"},
                      MapChange{"interleaveOf32",
                                [](TensorMap& m) {
                                  m.interleave = TensorMap::Interleave::bytes32;
                                  m.rank = 2;
                                  m.globalDim[2] = m.boxDim[2] = m.elementStride[2] = 1;
                                  m.globalStride = {416, 416 * 60};
                                },
                                "swizzle of 32"}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(TensorMap, SizesOfElementsAndSpans) {
  using E = TensorMap::Element;
  for (const auto& [element, bytes] : {std::pair{E::u8, 1u}, {E::f16, 2u}, {E::bf16, 2u}, {E::tf32_ftz, 4u}, {E::s64, 8u}, {E::f64, 8u}})
    EXPECT_EQ(sizeOf(element), bytes);
  EXPECT_FALSE(isFloat(E::s64));
  EXPECT_TRUE(isFloat(E::f16));
  EXPECT_EQ(spanOf(TensorMap::Swizzle::none), 0u);
  EXPECT_EQ(spanOf(TensorMap::Swizzle::bytes32), 32u);
  EXPECT_EQ(spanOf(TensorMap::Swizzle::bytes128), 128u);
}

}  // namespace
}  // namespace warpwright::isa
