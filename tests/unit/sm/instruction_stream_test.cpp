#include "sm/instruction_stream.hpp"

#include <gtest/gtest.h>

namespace warpwright::sm {
namespace {

constexpr u64 kCodeLine = 128;

class Stream : public ::testing::Test {
 protected:
  void miss(u64 line) {
    mem::Request request;
    request.address = GlobalAddress(line * kCodeLine);
    request.id = static_cast<u32>(line);
    stream.miss(request);
  }
  // The lines that it asks for now.
  std::vector<u64> askedFor() {
    std::vector<u64> lines;
    while (stream.wantsLine()) lines.push_back(stream.takeLine(Cycle{}).address / kCodeLine);
    return lines;
  }
  u32 goesBelow() { return stream.misses().empty() ? 0 : stream.takeMiss().id; }
  u32 isAnswered() { return stream.answers().empty() ? 0 : stream.takeAnswer().id; }
  void arrives(u64 line) { stream.arrived(GlobalAddress(line * kCodeLine)); }

  InstructionStream stream{3, kCodeLine, 2};
};

TEST_F(Stream, AsksForTheLinesBehindAMiss) {
  EXPECT_FALSE(stream.wantsLine());
  miss(10);
  EXPECT_EQ(goesBelow(), 10u);
  EXPECT_EQ(askedFor(), (std::vector<u64>{11, 12, 13}));
  EXPECT_EQ(isAnswered(), 0u);
}

TEST_F(Stream, AnswersALineThatIsHereAndAsksForOneMore) {
  miss(10);
  goesBelow();
  askedFor();
  arrives(11);
  EXPECT_EQ(isAnswered(), 0u) << "nobody has asked for it";
  miss(11);
  EXPECT_EQ(goesBelow(), 0u);
  EXPECT_EQ(isAnswered(), 11u);
  EXPECT_EQ(askedFor(), (std::vector<u64>{14}));
  EXPECT_EQ(stream.prefetched(), 4u);
  EXPECT_EQ(stream.used(), 1u);
}

TEST_F(Stream, APlaceThatIsUsedAgainIsEmpty) {
  miss(10);
  goesBelow();
  askedFor();
  arrives(11);
  miss(11);
  isAnswered();
  askedFor();
  miss(14);
  EXPECT_EQ(isAnswered(), 0u) << "line 14 takes the place of line 11";
  arrives(14);
  EXPECT_EQ(isAnswered(), 14u);
}

TEST_F(Stream, AMissWaitsForItsLineOnTheWay) {
  miss(10);
  goesBelow();
  askedFor();
  miss(12);
  EXPECT_EQ(isAnswered(), 0u);
  arrives(11);
  EXPECT_EQ(isAnswered(), 0u) << "line 11 has been passed";
  arrives(12);
  EXPECT_EQ(isAnswered(), 12u);
  EXPECT_EQ(askedFor(), (std::vector<u64>{14, 15}));
}

TEST_F(Stream, AMissElsewhereBeginsAnew) {
  miss(10);
  goesBelow();
  askedFor();
  miss(40);
  EXPECT_EQ(goesBelow(), 40u);
  EXPECT_EQ(askedFor(), (std::vector<u64>{41, 42, 43}));
  for (const u64 late : {11, 12, 13}) arrives(late);
  miss(12);
  EXPECT_EQ(goesBelow(), 12u) << "what belonged to the stream that was left is gone";
}

TEST_F(Stream, ALineThatWasNotAskedForYetGoesBelow) {
  miss(10);
  goesBelow();
  miss(11);
  EXPECT_EQ(goesBelow(), 11u);
  EXPECT_EQ(askedFor(), (std::vector<u64>{12, 13, 14}));
}

TEST_F(Stream, RestsWhenNothingIsUnderWay) {
  EXPECT_TRUE(stream.quiescent());
  miss(10);
  goesBelow();
  EXPECT_FALSE(stream.quiescent()) << "lines are to be asked for";
  askedFor();
  for (const u64 line : {11, 12}) arrives(line);
  EXPECT_FALSE(stream.quiescent());
  arrives(13);
  EXPECT_TRUE(stream.quiescent());
}

}  // namespace
}  // namespace warpwright::sm
