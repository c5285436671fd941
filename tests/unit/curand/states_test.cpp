// Jumps of states in kernels, by tables, against those of the library, by matrices; here on the host.
#define __device__
#include "warpwright_curand/states.hpp"

#include <gtest/gtest.h>

#include "jumps.hpp"

namespace warpwright::curand {
namespace {

template <typename State>
State begun(Wide seed, Wide sequence, Wide offset) {
  State state{};
  begin(state, seed, sequence, offset);
  return state;
}

constexpr Wide kSteps[] = {0, 1, 2, 3, 159, 160, 161, 0x123456789abcdef, ~Wide{0}};

TEST(CurandStates, TablesJumpAsMatricesDo) {
  for (const Wide steps : kSteps) {
    XorwowState xorwow = begun<XorwowState>(42, 0, steps);
    Xorwow expected = jump(begun<XorwowState>(42, 0, 0).generator, steps);
    MrgState mrg = begun<MrgState>(42, 0, steps);
    Mrg32k3a expectedMrg = jump(begun<MrgState>(42, 0, 0).generator, steps);
    for (int i = 0; i < 8; ++i) {
      ASSERT_EQ(next(xorwow), expected.next()) << steps;
      ASSERT_EQ(nextRaw(mrg), expectedMrg.next()) << steps;
    }
  }
}

// 2^67 steps are eight times 2^64 - 1 and eight more.
TEST(CurandStates, ASequenceOfXorwowIs2To67Steps) {
  Xorwow walked = begun<XorwowState>(7, 0, 0).generator;
  for (int i = 0; i < 8; ++i) walked = jump(jump(walked, ~Wide{0}), 1);
  XorwowState skipped = begun<XorwowState>(7, 1, 0);
  for (int i = 0; i < 8; ++i) ASSERT_EQ(next(skipped), walked.next());
}

// 2^76 are 2^12 times as many as 2^64; 2^127 are 2^51 subsequences.
TEST(CurandStates, SubsequencesOfMrgAre2To76Steps) {
  Mrg32k3a walked = begun<MrgState>(7, 0, 0).generator;
  for (int i = 0; i < 4096; ++i) walked = jump(jump(walked, ~Wide{0}), 1);
  MrgState skipped = begun<MrgState>(7, 1, 0);
  for (int i = 0; i < 8; ++i) ASSERT_EQ(nextRaw(skipped), walked.next());
  MrgState byMany = begun<MrgState>(7, Wide{1} << 51, 0), byOne = begun<MrgState>(7, 0, 0);
  skipSequences(byOne, 1);
  for (int i = 0; i < 8; ++i) ASSERT_EQ(nextRaw(byMany), nextRaw(byOne));
}

TEST(CurandStates, SequencesOfManyAreThoseOfEach) {
  XorwowState together = begun<XorwowState>(7, 0x8000000000000005, 0), apart = begun<XorwowState>(7, 0, 0);
  for (const Wide sequences : {Wide{1}, Wide{1} << 63, Wide{4}}) skipSequences(apart, sequences);
  for (int i = 0; i < 8; ++i) ASSERT_EQ(next(together), next(apart));
}

TEST(CurandStates, PhiloxCountsOnFromAnyWord) {
  for (const Wide skipped : {0, 1, 2, 3, 4, 5, 11}) {
    PhiloxState walked = begun<PhiloxState>(9, 2, 0), jumped = begun<PhiloxState>(9, 2, skipped);
    for (Wide i = 0; i < skipped; ++i) next(walked);
    const Words4 four = nextFour(jumped);
    for (const Word word : four.words) ASSERT_EQ(next(walked), word) << skipped;
    ASSERT_EQ(next(walked), next(jumped)) << skipped;
  }
  PhiloxState last = begun<PhiloxState>(9, 2, 0), first = begun<PhiloxState>(9, 3, 0);
  for (int i = 0; i < 4; ++i) skip(last, ~Wide{0});
  skip(last, 4);
  ASSERT_EQ(next(last), next(first));
}

}  // namespace
}  // namespace warpwright::curand
