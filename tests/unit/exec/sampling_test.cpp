// Texture reading against the formulas of the CUDA C++ programming guide ("Texture Fetching"), worked out by hand: every texel, weight
// and sum below is exact in binary.
#include "exec/sampling.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <vector>

#include "exec/memory.hpp"

namespace warpwright::exec {
namespace {

using isa::Geometry;

u32 bits(float value) { return std::bit_cast<u32>(value); }
float number(u32 value) { return std::bit_cast<float>(value); }

template <typename T>
Image imageOf(const std::vector<T>& texels, TexelFormat format, u32 width, u32 height = 1, u32 slices = 1) {
  Image image{GlobalMemory::addressOf(texels.data()), format, width, height, slices};
  image.rowBytes = u64{width} * format.bytes();
  image.sliceBytes = image.rowBytes * height;
  return image;
}

constexpr TexelFormat kFloat{1, 32, ChannelKind::floating};

Texel read(const Texture& texture, SampleRequest request, std::array<u32, 4> coordinates) {
  TouchedTexels touched;
  return sample(texture, request, coordinates.data(), touched);
}

float at(const Texture& texture, float x) { return number(read(texture, {Geometry::d1}, {bits(x)})[0]); }
float at(const Texture& texture, float x, float y) { return number(read(texture, {Geometry::d2}, {bits(x), bits(y)})[0]); }

class Line : public ::testing::Test {
 protected:
  std::vector<float> texels_{8, 16, 64, 128};
  Texture texture_{imageOf(texels_, kFloat, 4), {}};
};

TEST_F(Line, NearestTakesTheTexelThatHoldsTheCoordinate) {
  EXPECT_EQ(at(texture_, 0.0f), 8);
  EXPECT_EQ(at(texture_, 0.99f), 8);
  EXPECT_EQ(at(texture_, 1.0f), 16);
  EXPECT_EQ(at(texture_, 3.5f), 128);
}

TEST_F(Line, ClampRepeatsTheEdges) {
  EXPECT_EQ(at(texture_, -5.0f), 8);
  EXPECT_EQ(at(texture_, 1e30f), 128);
}

TEST_F(Line, BorderIsWhatWasAskedFor) {
  texture_.sampler.modes.fill(AddressMode::border);
  texture_.sampler.border[0] = bits(-1.0f);
  EXPECT_EQ(at(texture_, -0.01f), -1);
  EXPECT_EQ(at(texture_, 4.0f), -1);
  EXPECT_EQ(at(texture_, 3.99f), 128);
}

TEST_F(Line, WrapAndMirrorRepeatNormalisedCoordinates) {
  texture_.sampler.normalizedCoordinates = true;
  texture_.sampler.modes.fill(AddressMode::wrap);
  EXPECT_EQ(at(texture_, 1.25f), 16);    // frac 0.25 of 4 texels: 1
  EXPECT_EQ(at(texture_, -0.25f), 128);  // frac 0.75: 3
  texture_.sampler.modes.fill(AddressMode::mirror);
  EXPECT_EQ(at(texture_, 1.125f), 128);  // 1 - 0.125 = 0.875: 3.5
  EXPECT_EQ(at(texture_, -0.375f), 16);  // 0.375: 1.5
  EXPECT_EQ(at(texture_, 2.375f), 16);
}

TEST_F(Line, PeriodicModesClampWithoutNormalisedCoordinates) {
  texture_.sampler.modes.fill(AddressMode::wrap);
  EXPECT_EQ(at(texture_, 5.0f), 128);
}

TEST_F(Line, LinearBlendsBetweenTexelCentres) {
  texture_.sampler.linearFilter = true;
  EXPECT_EQ(at(texture_, 0.5f), 8);
  EXPECT_EQ(at(texture_, 1.0f), 12);   // half of 8 and 16
  EXPECT_EQ(at(texture_, 1.75f), 28);  // 16 + 0.25 * 48
  EXPECT_EQ(at(texture_, 0.25f), 8);   // clamped on both sides
  EXPECT_EQ(at(texture_, 3.75f), 128);
}

// 9-bit fixed-point weights with 8 fractional bits: 1/512 of the way rounds up to 1/256, less rounds to none.
TEST_F(Line, WeightsHaveEightFractionalBits) {
  texture_.sampler.linearFilter = true;
  EXPECT_EQ(at(texture_, 1.5f + 1.0f / 256), 16 + 48.0f / 256);
  EXPECT_EQ(at(texture_, 1.5f + 1.0f / 512), 16 + 48.0f / 256);
  EXPECT_EQ(at(texture_, 1.5f + 1.0f / 1024), 16);
  EXPECT_EQ(at(texture_, 2.5f - 1.0f / 1024), 64);  // a weight of exactly one
}

TEST_F(Line, LinearWrapsAroundTheEnd) {
  texture_.sampler.linearFilter = true;
  texture_.sampler.normalizedCoordinates = true;
  texture_.sampler.modes.fill(AddressMode::wrap);
  EXPECT_EQ(at(texture_, 0.0f), 68);  // half of 128 and 8
}

TEST_F(Line, LinearBlendsWithTheBorder) {
  texture_.sampler.linearFilter = true;
  texture_.sampler.modes.fill(AddressMode::border);
  EXPECT_EQ(at(texture_, 0.0f), 4);
}

TEST_F(Line, IntegerCoordinatesAreTexelNumbers) {
  texture_.sampler.linearFilter = true;
  texture_.sampler.normalizedCoordinates = true;
  EXPECT_EQ(number(read(texture_, {Geometry::d1, true}, {2})[0]), 64);
}

TEST(Plane, LinearBlendsFourTexels) {
  const std::vector<float> texels{0, 16, 32, 64};
  Texture texture{imageOf(texels, kFloat, 2, 2), {}};
  texture.sampler.linearFilter = true;
  // x 0.25, y 0.5 between the centres: (0 + 0.25*16)/2 + (32 + 0.25*32)/2
  EXPECT_EQ(at(texture, 0.75f, 1.0f), 22);
}

TEST(Plane, GatherTurnsCounterClockwise) {
  const std::vector<float> texels{1, 2, 3, 4};
  const Texture texture{imageOf(texels, kFloat, 2, 2), {}};
  const SampleRequest request{Geometry::d2, false, true, 0};
  const Texel texel = read(texture, request, {bits(1.0f), bits(1.0f)});
  EXPECT_EQ(number(texel[0]), 3);
  EXPECT_EQ(number(texel[1]), 4);
  EXPECT_EQ(number(texel[2]), 2);
  EXPECT_EQ(number(texel[3]), 1);
}

TEST(Volume, LinearBlendsEightTexels) {
  const std::vector<float> texels{0, 8, 16, 24, 32, 40, 48, 56};
  Texture texture{imageOf(texels, kFloat, 2, 2, 2), {}};
  texture.sampler.linearFilter = true;
  EXPECT_EQ(number(read(texture, {Geometry::d3}, {bits(1.0f), bits(1.0f), bits(1.0f)})[0]), 28);  // their mean
}

TEST(Layers, AreChosenByNumberAndClamped) {
  const std::vector<float> texels{1, 2, 3, 4, 5, 6};
  Texture texture{imageOf(texels, kFloat, 2, 1, 3), {}};
  texture.image.layered = true;
  EXPECT_EQ(number(read(texture, {Geometry::a1d}, {1, bits(1.5f)})[0]), 4);
  EXPECT_EQ(number(read(texture, {Geometry::a1d}, {7, bits(0.5f)})[0]), 5);
}

// Faces in the guide's order; the largest coordinate chooses, the others over it place the texel.
TEST(Cube, FacesAndTheirTexels) {
  std::vector<float> texels(6 * 4);
  for (u32 i = 0; i < texels.size(); ++i) texels[i] = static_cast<float>(i);
  Texture texture{imageOf(texels, kFloat, 2, 2, 6), {}};
  texture.image.cube = true;
  const auto face = [&](float x, float y, float z) { return number(read(texture, {Geometry::cube}, {bits(x), bits(y), bits(z)})[0]); };
  EXPECT_EQ(face(2, -1, -1), 0 + 3);    // +x: s = -z = 1, t = -y = 1
  EXPECT_EQ(face(-2, 1, -1), 4 + 0);    // -x: s = z = -1, t = -y = -1
  EXPECT_EQ(face(1, 2, -1), 8 + 1);     // +y: s = x, t = z
  EXPECT_EQ(face(-1, -2, -1), 12 + 2);  // -y: s = x, t = -z = 1
  EXPECT_EQ(face(1, 1, 2), 16 + 1);     // +z: s = x, t = -y = -1
  EXPECT_EQ(face(1, -1, -2), 20 + 2);   // -z: s = -x = -1, t = -y = 1
}

TEST(Formats, IntegersKeepTheirSign) {
  const std::vector<s8> texels{-3, 100};
  const Texture texture{imageOf(texels, {2, 8, ChannelKind::signedInteger}, 1), {}};
  const Texel texel = read(texture, {Geometry::d1, true}, {0});
  EXPECT_EQ(static_cast<s32>(texel[0]), -3);
  EXPECT_EQ(static_cast<s32>(texel[1]), 100);
}

TEST(Formats, NormalisedReadsCoverZeroToOne) {
  const std::vector<u8> bytes{0, 51, 255};
  Texture texture{imageOf(bytes, {1, 8, ChannelKind::unsignedInteger}, 3), {}};
  texture.sampler.normalizedRead = true;
  EXPECT_EQ(at(texture, 0.5f), 0.0f);
  EXPECT_EQ(at(texture, 1.5f), 51.0f / 255.0f);
  EXPECT_EQ(at(texture, 2.5f), 1.0f);
  const std::vector<s16> words{-32768, -32767, 32767};
  Texture signedTexture{imageOf(words, {1, 16, ChannelKind::signedInteger}, 3), {}};
  signedTexture.sampler.normalizedRead = true;
  EXPECT_EQ(at(signedTexture, 0.5f), -1.0f);
  EXPECT_EQ(at(signedTexture, 1.5f), -1.0f);
  EXPECT_EQ(at(signedTexture, 2.5f), 1.0f);
}

// Bit patterns of IEEE 754 binary16.
TEST(Formats, Halves) {
  EXPECT_EQ(floatOfHalf(0x3c00), 1.0f);
  EXPECT_EQ(floatOfHalf(0xc000), -2.0f);
  EXPECT_EQ(floatOfHalf(0x7bff), 65504.0f);
  EXPECT_EQ(floatOfHalf(0x0001), 0x1p-24f);
  EXPECT_TRUE(std::isinf(floatOfHalf(0x7c00)));
  EXPECT_TRUE(std::isnan(floatOfHalf(0x7e00)));
  for (u32 half = 0; half < 0x7c00; ++half) EXPECT_EQ(halfOfFloat(floatOfHalf(static_cast<u16>(half))), half);
  EXPECT_EQ(halfOfFloat(65520.0f), 0x7c00);
  EXPECT_EQ(halfOfFloat(1.0f + 0x1p-11f), 0x3c00);  // ties to even
  EXPECT_EQ(halfOfFloat(1.0f + 3 * 0x1p-11f), 0x3c02);
}

TEST(Formats, WritingConverts) {
  std::vector<u16> halves(2, 0xffff);
  writeTexel({2, 16, ChannelKind::floating}, GlobalMemory::addressOf(halves.data()), {bits(1.0f), bits(-2.0f), 0, 0}, 2);
  EXPECT_EQ(halves[0], 0x3c00);
  EXPECT_EQ(halves[1], 0xc000);
}

}  // namespace
}  // namespace warpwright::exec
