// The generators against what their authors publish, and jumps against steps.
#include "warpwright_curand/generators.hpp"

#include <gtest/gtest.h>

#include "jumps.hpp"

namespace warpwright::curand {
namespace {

// The known answers that Random123 comes with.
TEST(CurandGenerators, PhiloxGivesItsKnownAnswers) {
  const auto expect = [](Wide low, Wide high, Wide key, std::initializer_list<Word> words) {
    const Words4 found = philox(low, high, key);
    int i = 0;
    for (const Word word : words) EXPECT_EQ(found.words[i++], word);
  };
  expect(0, 0, 0, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  expect(~Wide{0}, ~Wide{0}, ~Wide{0}, {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  expect(0x85a308d3243f6a88, 0x0370734413198a2e, 0x299f31d0a4093822, {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

// The first number of L'Ecuyer's program, whose seeds are all 12345.
TEST(CurandGenerators, Mrg32k3aBeginsAsPublished) {
  Mrg32k3a state{{12345, 12345, 12345}, {12345, 12345, 12345}};
  EXPECT_NEAR(state.next() / (static_cast<double>(Mrg32k3a::kModulus1) + 1), 0.127011122046577, 1e-14);
}

// From the definition in the paper, with its initial values.
TEST(CurandGenerators, XorwowIsMarsaglias) {
  Word x = 123456789, y = 362436069, z = 521288629, w = 88675123, v = 5783321, d = 6615241;
  Xorwow state{{x, y, z, w, v}, d};
  for (int i = 0; i < 1000; ++i) {
    const Word t = x ^ (x >> 2);
    x = y, y = z, z = w, w = v;
    v = (v ^ (v << 4)) ^ (t ^ (t << 1));
    ASSERT_EQ(state.next(), (d += 362437) + v) << i;
  }
}

template <typename State>
class CurandJumps : public ::testing::Test {};
using States = ::testing::Types<Xorwow, Mrg32k3a>;
TYPED_TEST_SUITE(CurandJumps, States);

TYPED_TEST(CurandJumps, AreManySteps) {
  const TypeParam begin = lanesOf<TypeParam>(42, 0)[1];
  for (const Wide steps : {0, 1, 2, 5, 1000}) {
    TypeParam walked = begin, jumped = jump(begin, steps);
    for (Wide i = 0; i < steps; ++i) walked.next();
    for (int i = 0; i < 8; ++i) ASSERT_EQ(walked.next(), jumped.next()) << steps;
  }
}

TYPED_TEST(CurandJumps, LanesAndSeedsDiffer) {
  auto lanes = lanesOf<TypeParam>(1, 0), others = lanesOf<TypeParam>(2, 0), later = lanesOf<TypeParam>(1, 3);
  ASSERT_EQ(lanes.size(), kLanes);
  EXPECT_NE(lanes[0].next(), lanes[1].next());
  EXPECT_NE(lanes[2].next(), others[2].next());
  for (int i = 0; i < 3; ++i) lanes[7].next();
  EXPECT_EQ(lanes[7].next(), later[7].next());
}

}  // namespace
}  // namespace warpwright::curand
