// Sizes of loads that are guessed, vote by vote.
#include "mechanisms/elastic_mshr/predictor.hpp"

#include <gtest/gtest.h>

namespace warpwright::mechanisms::elastic_mshr {
namespace {

constexpr Pc kPc{7}, kOther{11};

class ElasticMshrPredictor : public ::testing::Test {
 protected:
  // As primaries that find neighbours until there are so many blocks; the votes that it takes.
  u32 growTo(u32 blocks) {
    u32 votes = 0;
    for (; predictor.blocksFor(kPc) < blocks; ++votes) predictor.missedNeighbour(kPc, predictor.blocksFor(kPc));
    return votes;
  }
  Predictor predictor{4, 8};
};

TEST_F(ElasticMshrPredictor, KnowsNothingAtFirst) { EXPECT_EQ(predictor.blocksFor(kPc), 1u); }

// From a weak one the counter saturates at three, and the vote above that doubles the size, with a weak counter again.
TEST_F(ElasticMshrPredictor, DoublesWithTheThirdVote) {
  EXPECT_EQ(growTo(2), 3u);
  EXPECT_EQ(growTo(8), 6u);
  predictor.missedNeighbour(kPc, 8);
  EXPECT_EQ(predictor.blocksFor(kPc), 8u) << "there is nothing larger";
}

TEST_F(ElasticMshrPredictor, HalvesWithTheSecondVote) {
  growTo(4);
  predictor.arrived(kPc, 4, 2);
  EXPECT_EQ(predictor.blocksFor(kPc), 4u);
  predictor.arrived(kPc, 4, 1);
  EXPECT_EQ(predictor.blocksFor(kPc), 2u);
}

TEST_F(ElasticMshrPredictor, APacketThatIsUsedConfirms) {
  growTo(4);
  for (u32 i = 0; i < 10; ++i) {
    predictor.arrived(kPc, 4, 1);
    predictor.arrived(kPc, 4, 3);
  }
  EXPECT_EQ(predictor.blocksFor(kPc), 4u);
}

TEST_F(ElasticMshrPredictor, VotesOfOtherSizesDoNotCount) {
  growTo(4);
  for (u32 i = 0; i < 10; ++i) {
    predictor.arrived(kPc, 2, 1);
    predictor.arrived(kPc, 8, 1);
    predictor.missedNeighbour(kPc, 1);
  }
  EXPECT_EQ(predictor.blocksFor(kPc), 4u);
}

// Four entries: 7 and 11 share one.
TEST_F(ElasticMshrPredictor, AnotherInstructionTakesTheEntry) {
  growTo(4);
  predictor.arrived(kOther, 4, 1);
  EXPECT_EQ(predictor.blocksFor(kPc), 4u) << "a packet gives no entry";
  EXPECT_EQ(predictor.blocksFor(kOther), 1u);
  predictor.missedNeighbour(kOther, 1);
  EXPECT_EQ(predictor.blocksFor(kPc), 1u);
}

}  // namespace
}  // namespace warpwright::mechanisms::elastic_mshr
