#include "values/vector_class.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <random>
#include <vector>

namespace warpwright::values {
namespace {

template <class Word>
std::vector<Word> affine(Word base, Word stride, u32 width) {
  std::vector<Word> lanes;
  for (u32 lane = 0; lane < width; ++lane) lanes.push_back(static_cast<Word>(base + lane * stride));
  return lanes;
}

template <class Word>
bool holds(const AffineForm<Word>& form, const std::vector<Word>& lanes, LaneMask active) {
  for (u32 lane = 0; lane < lanes.size(); ++lane) {
    if (active.contains(lane) && form.at(lane) != lanes[lane]) return false;
  }
  return true;
}

// The definition, by trying: words of 8 bits leave so few bases and strides that all can be tried.
bool someFormHolds(const std::vector<u8>& lanes, LaneMask active, Strides strides) {
  for (u32 stride = 0; stride < 256; ++stride) {
    const bool allowed = stride == 0 || std::has_single_bit(stride);
    if (strides == Strides::powersOfTwo && !allowed) continue;
    const u32 first = active.least();
    const AffineForm<u8> form{static_cast<u8>(lanes[first] - first * stride), static_cast<u8>(stride)};
    if (strides == Strides::powersOfTwo && stride != 0 && form.base % stride != 0) continue;
    if (holds(form, lanes, active)) return true;
  }
  return false;
}

TEST(VectorClass, NamesWhatThePaperNames) {
  EXPECT_EQ(classOf(affine<u32>(0, 0, 32).data(), LaneMask::first(32)), VectorClass::zero);
  EXPECT_EQ(classOf(affine<u32>(7, 0, 32).data(), LaneMask::first(32)), VectorClass::uniform);
  EXPECT_EQ(classOf(affine<u32>(100, 12, 32).data(), LaneMask::first(32)), VectorClass::affine);
  EXPECT_EQ(classOf(affine<u32>(100, ~3U, 32).data(), LaneMask::first(32)), VectorClass::affine);
  auto lanes = affine<u32>(100, 12, 32);
  lanes[31] ^= 1;
  EXPECT_EQ(classOf(lanes.data(), LaneMask::first(32)), VectorClass::generic);
}

TEST(VectorClass, IgnoresInactiveLanes) {
  auto lanes = affine<u32>(5, 3, 32);
  lanes[4] = 77;
  lanes[31] = 78;
  EXPECT_EQ(classOf(lanes.data(), LaneMask::first(32)), VectorClass::generic);
  EXPECT_EQ(classOf(lanes.data(), LaneMask::first(31) & ~(LaneMask::of(4))), VectorClass::affine);
  EXPECT_EQ(classOf(lanes.data(), LaneMask::of(4)), VectorClass::uniform);
  EXPECT_EQ(classOf(lanes.data(), LaneMask{}), VectorClass::zero);
}

TEST(VectorClass, AStrideThatInactiveLanesLeaveOpen) {
  const std::vector<u32> lanes{10, 0, 14, 0, 18, 0, 22, 0};
  const LaneMask evenLanes(0x55);
  EXPECT_EQ(affineForm(lanes.data(), evenLanes), (AffineForm<u32>{10, 2}));
  const std::vector<u32> oddDistance{10, 0, 13, 0};
  EXPECT_EQ(classOf(oddDistance.data(), LaneMask{5}), VectorClass::generic);
  const std::vector<u32> falling{10, 0, 6, 0};
  EXPECT_EQ(affineForm(falling.data(), LaneMask{5}), (AffineForm<u32>{10, ~1U}));
}

TEST(VectorClass, RestrictedStridesArePowersOfTwoAndDivideTheBase) {
  const auto restricted = [](u32 base, u32 stride) {
    return classOf(affine<u32>(base, stride, 32).data(), LaneMask::first(32), Strides::powersOfTwo);
  };
  EXPECT_EQ(restricted(0, 0), VectorClass::zero);
  EXPECT_EQ(restricted(3, 0), VectorClass::uniform);
  EXPECT_EQ(restricted(3, 1), VectorClass::affine);
  EXPECT_EQ(restricted(12, 4), VectorClass::affine);
  EXPECT_EQ(restricted(10, 4), VectorClass::generic);
  EXPECT_EQ(restricted(12, 3), VectorClass::generic);
  EXPECT_EQ(restricted(12, ~3U), VectorClass::generic);
  EXPECT_EQ(restricted(0, 1U << 31), VectorClass::affine);
}

TEST(VectorClass, PartsHaveClassesOfTheirOwn) {
  auto lanes = affine<u32>(64, 4, 16);
  const auto second = affine<u32>(4096, 4, 16);
  lanes.insert(lanes.end(), second.begin(), second.end());
  EXPECT_EQ(classOf(lanes.data(), LaneMask::first(32)), VectorClass::generic);
  std::vector<std::pair<u32, VectorClass>> parts;
  const auto note = [&](u32 part, const u32* values, LaneMask active) { parts.emplace_back(part, classOf(values, active)); };
  forEachPart(lanes.data(), LaneMask::first(32), 32, 16, note);
  EXPECT_EQ(parts, (std::vector<std::pair<u32, VectorClass>>{{0, VectorClass::affine}, {1, VectorClass::affine}}));
  parts.clear();
  forEachPart(lanes.data(), LaneMask{0x00ff0100}, 32, 8, note);
  EXPECT_EQ(parts, (std::vector<std::pair<u32, VectorClass>>{{1, VectorClass::uniform}, {2, VectorClass::affine}}));
}

// Every base, stride and mask of 8 lanes of 8 bits.
TEST(VectorClass, FindsEveryAffineVector) {
  for (u32 base = 0; base < 256; ++base) {
    for (u32 stride = 0; stride < 256; ++stride) {
      const auto lanes = affine<u8>(static_cast<u8>(base), static_cast<u8>(stride), 8);
      const bool restricted = stride == 0 || (std::has_single_bit(stride) && base % stride == 0);
      for (u64 bits = 1; bits < 256; ++bits) {
        const LaneMask active(bits);
        const auto form = affineForm(lanes.data(), active);
        ASSERT_TRUE(form && holds(*form, lanes, active)) << base << "+i*" << stride << " under " << bits;
        if (!restricted) continue;
        const auto power = affineForm(lanes.data(), active, Strides::powersOfTwo);
        ASSERT_TRUE(power && holds(*power, lanes, active)) << base << "+i*" << stride << " under " << bits;
        ASSERT_TRUE(power->stride == 0 || std::has_single_bit(power->stride));
      }
    }
  }
}

// Vectors that are affine but for a lane or two, and others, against the definition.
TEST(VectorClass, FindsOnlyAffineVectors) {
  std::mt19937 random(1);
  for (u32 round = 0; round < 20'000; ++round) {
    auto lanes = affine<u8>(static_cast<u8>(random()), static_cast<u8>(random()), 8);
    for (u32 changes = random() % 3; changes != 0; --changes) lanes[random() % 8] = static_cast<u8>(random());
    const LaneMask active(random() % 255 + 1);
    for (const Strides strides : {Strides::any, Strides::powersOfTwo}) {
      ASSERT_EQ(isAffine(classOf(lanes.data(), active, strides)), someFormHolds(lanes, active, strides)) << "round " << round;
    }
  }
}

template <class Word>
void findsTheFormOfRandomVectors(u32 width) {
  std::mt19937_64 random(width);
  for (u32 round = 0; round < 20'000; ++round) {
    const auto lanes = affine(static_cast<Word>(random()), static_cast<Word>(random() >> random() % 64), width);
    const LaneMask active = LaneMask(random() & random()) & LaneMask::first(width);
    const auto form = affineForm(lanes.data(), active);
    ASSERT_TRUE(form && holds(*form, lanes, active)) << "round " << round;
    const auto whole = affineForm(lanes.data(), LaneMask::first(width));
    ASSERT_TRUE(whole && holds(*whole, lanes, LaneMask::first(width))) << "round " << round;
    auto other = lanes;
    const u32 lane = static_cast<u32>(random() % width);
    other[lane] ^= static_cast<Word>(1);
    ASSERT_EQ(classOf(other.data(), LaneMask::first(width)), VectorClass::generic) << "round " << round;
  }
}

TEST(VectorClass, WordsAndWidths) {
  findsTheFormOfRandomVectors<u16>(32);
  findsTheFormOfRandomVectors<u32>(4);
  findsTheFormOfRandomVectors<u32>(16);
  findsTheFormOfRandomVectors<u32>(32);
  findsTheFormOfRandomVectors<u32>(64);
  findsTheFormOfRandomVectors<u64>(32);
}

}  // namespace
}  // namespace warpwright::values
