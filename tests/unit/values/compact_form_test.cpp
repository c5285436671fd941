#include "values/compact_form.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <random>
#include <vector>

#include "values/vector_class.hpp"

namespace warpwright::values {
namespace {

std::vector<u32> decoded(const CompactForm& form, u32 width) {
  std::vector<u32> lanes(width);
  decode(form, lanes.data(), width);
  return lanes;
}

bool agree(const std::vector<u32>& a, const std::vector<u32>& b, LaneMask active) {
  for (u32 lane = 0; lane < a.size(); ++lane) {
    if (active.contains(lane) && a[lane] != b[lane]) return false;
  }
  return true;
}

bool hasPair(LaneMask active) { return active.meets(active.lowered(1) & LaneMask(0x5555555555555555)); }

TEST(CompactForm, Decodes) {
  EXPECT_EQ(decoded({9, CompactForm::kUniform}, 4), (std::vector<u32>{9, 9, 9, 9}));
  EXPECT_EQ(decoded({8, 2}, 4), (std::vector<u32>{8, 12, 16, 20}));
  EXPECT_EQ(decoded({~0U, 0}, 4), (std::vector<u32>{~0U, 0, 1, 2}));
}

TEST(CompactForm, EncodesAnOddMultipleOfTheStride) {
  // 4, 8, 12, …: the exclusive-or of the first pair has a carry above the stride.
  const auto lanes = decoded({4, 2}, 32);
  EXPECT_EQ(Encoder().encode(lanes.data(), LaneMask::first(32)).form, (CompactForm{4, 2}));
}

TEST(CompactForm, BaseIsThatOfLaneZeroThoughItBeInactive) {
  const auto lanes = decoded({64, 3}, 32);
  EXPECT_EQ(Encoder().encode(lanes.data(), LaneMask{0xf0}).form, (CompactForm{64, 3}));
}

TEST(CompactForm, SparseMasksFallBack) {
  const auto lanes = decoded({64, 3}, 32);
  const auto encoding = Encoder().encode(lanes.data(), LaneMask{0b1001'0010});
  EXPECT_EQ(encoding.outcome, Encoding::Outcome::sparseMask);
  EXPECT_TRUE(Encoder().encode(lanes.data(), LaneMask{0b1000}).succeeded()) << "one lane is uniform";
  EXPECT_TRUE(Encoder().encode(lanes.data(), LaneMask{}).succeeded());
}

TEST(CompactForm, ThreeBitsHoldStridesUpTo64) {
  EXPECT_TRUE(Encoder().encode(decoded({0, 6}, 32).data(), LaneMask::first(32)).succeeded());
  EXPECT_FALSE(Encoder().encode(decoded({0, 7}, 32).data(), LaneMask::first(32)).succeeded());
  EXPECT_TRUE(Encoder(4).encode(decoded({0, 7}, 32).data(), LaneMask::first(32)).succeeded());
}

// Whatever the unit encodes decodes to the same lanes; whatever has the restricted form and a stride in range is encoded unless the mask is
// sparse. Vectors are affine but for up to two lanes.
TEST(CompactForm, AgreesWithTheRestrictedClass) {
  std::mt19937_64 random(3);
  const Encoder encoder;
  u32 encoded = 0, generic = 0;
  for (u32 round = 0; round < 200'000; ++round) {
    const u32 width = round % 2 == 0 ? 32 : 16;
    const u32 shift = static_cast<u32>(random() % 9);
    const u32 misalignment = random() % 4 == 0 ? static_cast<u32>(random() % 8) : 0;
    auto lanes =
        decoded({(static_cast<u32>(random()) << shift) + misalignment, static_cast<u8>(shift == 8 ? CompactForm::kUniform : shift)}, width);
    for (u64 changes = random() % 3; changes != 0; --changes) lanes[random() % width] += static_cast<u32>(random() % 64);
    const LaneMask active = LaneMask(random() % 2 == 0 ? ~u64{0} : random()) & LaneMask::first(width);
    const Encoding encoding = encoder.encode(lanes.data(), active);
    const auto form = affineForm(lanes.data(), active, Strides::powersOfTwo);
    if (encoding.succeeded()) {
      ++encoded;
      ASSERT_TRUE(agree(decoded(encoding.form, width), lanes, active)) << "round " << round;
      ASSERT_TRUE(form) << "round " << round;
      continue;
    }
    ++generic;
    const bool inRange = form && form->stride <= 64;
    const bool sparse = active.size() > 1 && !hasPair(active);
    ASSERT_EQ(encoding.outcome == Encoding::Outcome::sparseMask, sparse) << "round " << round;
    ASSERT_TRUE(!inRange || sparse) << "round " << round;
  }
  EXPECT_GT(encoded, 20'000U);
  EXPECT_GT(generic, 20'000U);
}

}  // namespace
}  // namespace warpwright::values
