// Instructions, and when they are issued.
#include "spe/spu.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.hpp"
#include "spe/konata.hpp"
#include "spe/multi_view.hpp"
#include "timeline.hpp"

namespace warpwright::spe {
namespace {

TEST(Spu, ResultsComeAfterTheirUnitsLatency) {
  EXPECT_EQ(timelineOf(machineOf("original"),
                       [](Spu& spu) {
                         const Quad base = spu.ila(64);
                         const Quad value = spu.lqd(base, 0);
                         const Quad sum = spu.fa(value, value);
                         const Quad turned = spu.rotqbyi(sum, 4);
                         spu.stqd(turned, base, 16);
                       }),
            "ila@0 lqd@2 fa@8 rotqbyi@14 stqd@18");
  EXPECT_EQ(timelineOf(machineOf("sams"),
                       [](Spu& spu) {
                         const Quad base = spu.ila(64);
                         const Quad value = spu.lqd(base, 0);
                         const Quad sum = spu.fa(value, value);
                         spu.stqd(sum, base, 16);
                       }),
            "ila@0 lqd@2 fa@12 stqd@18");
}

TEST(Spu, TwoIssueWhereTheFirstIsEvenAndTheSecondOdd) {
  const auto pairs = [](Spu& spu, bool evenFirst) {
    const Quad base = spu.constant(Words{64});
    const Quad one = spu.constant(1.0f);
    for (u32 i = 0; i < 2; ++i) {
      if (evenFirst) spu.fa(one, one);
      spu.lqd(base, static_cast<s32>(16 * i));
      if (!evenFirst) spu.fa(one, one);
    }
  };
  EXPECT_EQ(timelineOf(machineOf("original"), [&](Spu& spu) { pairs(spu, true); }), "fa@0 lqd@0 fa@1 lqd@1");
  EXPECT_EQ(timelineOf(machineOf("original"), [&](Spu& spu) { pairs(spu, false); }), "lqd@0 fa@1 lqd@2 fa@3");
}

TEST(Spu, ABranchCostsItsPenaltyUnlessItIsHintedInTime) {
  const auto loop = [](Spu& spu, bool hinted, u32 between) {
    Quad left = spu.constant(Words{2, 2, 2, 2});
    do {
      spu.label("round");
      if (hinted) spu.hbrr("again", "round");
      for (u32 i = 0; i < between; ++i) spu.rotqbyi(left, 4);
      left = spu.ai(left, -1);
    } while (spu.brnz(left, "again"));
  };
  EXPECT_EQ(timelineOf(machineOf("original"), [&](Spu& spu) { loop(spu, false, 0); }), "ai@0 brnz@2 ai@20 brnz@22");
  EXPECT_EQ(timelineOf(machineOf("sams"), [&](Spu& spu) { loop(spu, false, 0); }), "ai@0 brnz@2 ai@23 brnz@25");
  // Hinted 15 cycles before, the next round follows at once; later, it waits for what is left of them.
  Spu inTime(machineOf("original")), late(machineOf("original"));
  loop(inTime, true, 16);
  loop(late, true, 4);
  EXPECT_EQ(inTime.statistics().stalls[static_cast<std::size_t>(Stall::branch)], 0u);
  const u64 waits = late.statistics().stalls[static_cast<std::size_t>(Stall::branch)];
  EXPECT_GT(waits, 0u);
  EXPECT_LT(waits, 18u);
}

u64 branchStalls(Spu& spu) {
  spu.finish();
  EXPECT_TRUE(spu.statistics().isConserved());
  return spu.statistics().stalls[static_cast<std::size_t>(Stall::branch)];
}

constexpr u32 kPenalty = 18;

// Rounds of a loop that has a branch inside, which is taken in all of them. Hint: void(), at the begin of each round.
template <typename Hint>
u64 stallsWithABranchInside(u32 rounds, Hint&& hint) {
  Spu spu(machineOf("original"));
  const Quad zero = spu.constant(Words{});
  Quad left = spu.constant(Words{rounds});
  do {
    spu.label("round");
    hint(spu);
    for (u32 i = 0; i < 16; ++i) spu.rotqbyi(left, 4);
    if (spu.brz(zero, "over")) {
      spu.label("behind");
      left = spu.ai(left, -1);
    }
  } while (spu.brnz(left, "again"));
  spu.label("after");
  spu.rotqbyi(zero, 4);
  return branchStalls(spu);
}

TEST(Hints, AreForTheBranchThatTheyNameAlone) {
  const u64 inside = stallsWithABranchInside(4, [](Spu& spu) { spu.hbrr("over", "behind"); });
  const u64 back = stallsWithABranchInside(4, [](Spu& spu) { spu.hbrr("again", "round"); });
  const u64 none = stallsWithABranchInside(4, [](Spu& spu) { spu.lqa(0); });
  // Instructions after a branch that was not foreseen come 17 cycles later than they could have.
  EXPECT_EQ(none, (4 + 3) * (kPenalty - 1));
  EXPECT_EQ(inside, 3 * (kPenalty - 1));
  // In the end the branch back is not taken, which its hint did not say.
  EXPECT_EQ(back, (4 + 1) * (kPenalty - 1));
}

TEST(Hints, AreReplacedByTheNextOne) {
  const u64 last = stallsWithABranchInside(4, [](Spu& spu) {
    spu.hbrr("over", "behind");
    spu.hbrr("again", "round");
  });
  EXPECT_EQ(last, (4 + 1) * (kPenalty - 1));
}

TEST(Hints, HoldForAllRoundsOfALoop) {
  u32 round = 0;
  const u64 once = stallsWithABranchInside(4, [&](Spu& spu) {
    if (round++ == 0) spu.hbrr("over", "behind");
  });
  EXPECT_EQ(once, 3 * (kPenalty - 1));
}

TEST(Hints, ThatNameAnotherTargetCostAMissedBranch) {
  const u64 wrong = stallsWithABranchInside(4, [](Spu& spu) { spu.hbrr("over", "round"); });
  EXPECT_EQ(wrong, (4 + 3) * (kPenalty - 1));
  const u64 unknown = stallsWithABranchInside(4, [](Spu& spu) { spu.hbrr("nobody", "behind"); });
  EXPECT_EQ(unknown, (4 + 3) * (kPenalty - 1));
}

// Whatever is between a hint and its branch, the branch waits for what is left of the hint's 15 cycles, and never longer than without one.
TEST(Hints, HideWhatTheyComeBeforeTheirBranch) {
  for (u32 between = 0; between < 24; ++between) {
    Spu spu(machineOf("original"));
    const Quad zero = spu.constant(Words{});
    spu.hbrr("over", "behind");
    for (u32 i = 0; i < between; ++i) spu.rotqbyi(zero, 4);
    spu.brz(zero, "over");
    spu.label("behind");
    spu.rotqbyi(zero, 4);
    const u32 branchAt = 1 + between, ready = 15;
    EXPECT_EQ(branchStalls(spu), ready > branchAt + 1 ? ready - branchAt - 1 : 0) << between;
  }
}

// Behind a branch that goes to the last two instructions of a line, the next line has been asked for a cycle after the first.
TEST(Fetches, FollowEachOtherAfterABranch) {
  for (const char* const spe : {"original", "sams"}) {
    Spu spu(machineOf(spe));
    const Quad zero = spu.constant(Words{});
    for (u32 i = 0; i < 13; ++i) spu.rotqbyi(zero, 4);
    spu.brz(zero);
    spu.label("target");
    for (u32 i = 0; i < 12; ++i) spu.rotqbyi(zero, 4);
    spu.finish();
    EXPECT_EQ(spu.code().back().address, 64u + 9 * 4);
    EXPECT_EQ(spu.statistics().stalls[static_cast<std::size_t>(Stall::fetch)], 0u) << spe;
  }
}

TEST(Hints, NeedABranchAndATarget) {
  Spu spu(machineOf("original"));
  EXPECT_THROW(spu.hbrr("", "round"), Error);
  EXPECT_THROW(spu.hbrr("again", ""), Error);
}

TEST(Spu, ALoadWaitsForAStoreThatIsUnderWay) {
  EXPECT_EQ(timelineOf(machineOf("original"),
                       [](Spu& spu) {
                         const Quad base = spu.constant(Words{64}), value = spu.constant(2.0f);
                         spu.stqd(value, base, 0);
                         spu.lqd(base, 0);
                         spu.lqd(base, 16);
                       }),
            "stqd@0 lqd@4 lqd@5");
}

TEST(Spu, StridesFollowAtOnce) {
  EXPECT_EQ(timelineOf(machineOf("sams"),
                       [](Spu& spu) {
                         const Quad base = spu.constant(Words{64});
                         spu.setstride(8);
                         spu.lqwsd(base, 0);
                       }),
            "setstride@0 lqwsd@0");
}

TEST(Konata, ALogIsInTheOrderOfTime) {
  Spu spu(machineOf("original"));
  KonataLog log;
  spu.listen(&log);
  const Quad one = spu.constant(1.0f);
  spu.fa(one, one);
  spu.rotqbyi(one, 4);
  spu.finish();
  EXPECT_EQ(log.text(),
            "Kanata\t0004\nC=\t0\n"
            "I\t0\t0\t0\nL\t0\t0\t00000: fa\nS\t0\t0\tEv\nI\t1\t1\t0\nL\t1\t0\t00004: rotqbyi\nS\t1\t0\tOd\n"
            "C\t4\nE\t1\t0\tOd\nR\t1\t1\t0\nC\t2\nE\t0\t0\tEv\nR\t0\t0\t0\n");
}

TEST(Spu, AStrideBringsAFieldOfFourStructures) {
  Spu spu(machineOf("sams"));
  for (u32 word = 0; word < 64; ++word) spu.localStore().write(word, Family(0), word);
  const Quad base = spu.ila(0);
  spu.setstride(12);
  EXPECT_EQ(spu.lqwsd(base, 4).words(), (Words{1, 4, 7, 10}));
  EXPECT_EQ(spu.lqwsfd(base, 4).words(), (Words{1, 2, 3, 4})) << "unaligned";
  spu.stqwsd(spu.constant(Words{90, 91, 92, 93}), base, 8);
  EXPECT_EQ(spu.lqwsfd(base, 0).words(), (Words{0, 1, 90, 3}));
  EXPECT_EQ(spu.localStore().mismatches(), 0u);
}

// Both halves of table 4.4, in all forms of addresses.
TEST(Spu, AllFormsOfAnAccessReachTheSameWords) {
  Spu spu(machineOf("sams"));
  for (u32 word = 0; word < 64; ++word) spu.localStore().write(word, Family(1), word);
  const Quad base = spu.ila(8), index = spu.ila(16);
  spu.setstride(8);
  const Words field{6, 8, 10, 12}, structure{6, 7, 8, 9};
  EXPECT_EQ(spu.lqwsd(base, 16).words(), field);
  EXPECT_EQ(spu.lqwsx(base, index).words(), field);
  EXPECT_EQ(spu.lqwsa(24).words(), field);
  EXPECT_EQ(spu.lqwsfd(base, 16).words(), structure);
  EXPECT_EQ(spu.lqwsfx(base, index).words(), structure);
  EXPECT_EQ(spu.lqwsfa(24).words(), structure);
  const Quad value = spu.constant(Words{70, 71, 72, 73});
  spu.stqwsx(value, base, index);
  EXPECT_EQ(spu.lqwsa(24).words(), value.words());
  spu.stqwsfx(value, base, index);
  EXPECT_EQ(spu.lqwsfa(24).words(), value.words());
  spu.stqwsa(value, 128);
  spu.stqwsfa(value, 160);
  EXPECT_EQ(spu.lqwsa(128).words(), value.words());
  EXPECT_EQ(spu.lqwsfa(160).words(), value.words());
  EXPECT_EQ(spu.localStore().mismatches(), 0u);
}

struct Point {
  float x, y, z;
};

TEST(Spu, AViewNamesFields) {
  Spu spu(machineOf("sams"));
  for (u32 word = 0; word < 60; ++word) spu.localStore().write(word, Family(0), word);
  View<Point> points(spu, 0);
  points.begin();
  EXPECT_EQ(points.field(&Point::y).words(), (Words{1, 4, 7, 10}));
  EXPECT_EQ(points.field(&Point::z, 2).words(), (Words{8, 11, 14, 17}));
  EXPECT_EQ(points.words(3, 1).words(), (Words{10, 11, 12, 13}));
  points.advance(4);
  EXPECT_EQ(points.field(&Point::x).words(), (Words{12, 15, 18, 21}));
  // The thesis's macros are the same accesses.
  const Quad base = spu.ila(0);
  BEGIN_MULTI_VIEW(spu, Point);
  EXPECT_EQ(SOA_GET(spu, base, 4).words(), (Words{1, 4, 7, 10}));
  AOS_PUT(spu, base, 0, spu.constant(Words{9, 9, 9, 9}));
  EXPECT_EQ(AOS_GET(spu, base, 0).words(), (Words{9, 9, 9, 9}));
}

TEST(Spu, ShufflesTakeBytesOfBoth) {
  Spu spu(machineOf("original"));
  const Quad first = spu.constant(Words{0x00010203, 1, 2, 3}), second = spu.constant(Words{4, 5, 6, 7});
  EXPECT_EQ(spu.shufb(first, second, spu.pattern(wordPattern(0, 4, 3, 7))).words(), (Words{0x00010203, 4, 3, 7}));
  BytePattern bytes{};
  bytes.fill(0x80);  // zero
  bytes[0] = 3;      // the lowest byte of the first word
  bytes[1] = 0xc0;   // all ones
  EXPECT_EQ(spu.shufb(first, second, spu.pattern(bytes)).word(0), 0x03ff0000u);
  EXPECT_EQ(spu.rotqbyi(second, 4).words(), (Words{5, 6, 7, 4}));
}

TEST(Spu, TheOriginalHasNoStrides) {
  Spu spu(machineOf("original"));
  EXPECT_THROW(spu.setstride(8), Error);
  EXPECT_THROW(spu.lqwsd(spu.ila(0), 0), Error);
  Spu sams(machineOf("sams"));
  EXPECT_THROW(sams.setstride(6), Error);
  EXPECT_THROW(machineOf("smas"), Error);
}

TEST(Spu, ThereAre128Registers) {
  Spu spu(machineOf("original"));
  std::vector<Quad> held;
  for (u32 i = 0; i < kRegisters; ++i) held.push_back(spu.constant(Words{i}));
  EXPECT_THROW(spu.constant(Words{}), Error);
  held.pop_back();
  EXPECT_NO_THROW(spu.constant(Words{}));
}

// What nobody uses any more makes room, within a block too.
TEST(Spu, RegistersAreUsedAgain) {
  Spu spu(machineOf("original"));
  Quad sum = spu.constant(0.0f);
  for (u32 i = 0; i < 1000; ++i) sum = spu.fa(sum, sum);
  spu.finish();
  EXPECT_LE(spu.statistics().mostRegisters, 2u);
}

TEST(Spu, TheListingHasEachBlockOnce) {
  Spu spu(machineOf("original"));
  Quad left = spu.il(3);
  do {
    spu.label("round");
    left = spu.ai(left, -1);
  } while (spu.brnz(left));
  std::string listing;
  for (const CodeLine& line : spu.code()) listing += line.label + "|" + std::to_string(line.address) + " " + line.text + "\n";
  EXPECT_EQ(listing, "start|0 il $0, 3\nround|8 ai $0, $0, -1\n|12 brnz $0\n");
}

TEST(Spu, TheListingTellsWhichBranchAHintIsFor) {
  Spu spu(machineOf("original"));
  const Quad zero = spu.constant(Words{});
  spu.hbrr("out", "end");
  spu.brz(zero, "out");
  std::string listing;
  for (const CodeLine& line : spu.code()) listing += line.text + "\n";
  EXPECT_EQ(listing, "hbrr <out>, end\nbrz $0 <out>\n");
}

// Section 4.4.1: stores of one, two or four words, from any word on, in the layout of a stride.
TEST(Spu, AStoreMovesOneWordOrTwoInALayout) {
  Spu spu(machineOf("sams"));
  const Quad base = spu.ila(0);
  const Quad none = spu.constant(Words{});
  spu.setstride(24);
  for (s32 quad = 0; quad < 24; ++quad) spu.stqwsfd(none, base, 16 * quad);
  const Quad values = spu.constant(Words{1, 2, 3, 4});
  spu.stwwsfd(values, base, 4);      // word 1
  spu.stdwsfd(values, base, 28);     // words 7 and 8
  spu.stwwsd(values, base, 44);      // word 11
  spu.stdwsd(values, base, 12 * 4);  // words 12 and 18
  spu.stwwsfx(values, base, spu.ila(80));
  spu.stdwsx(values, base, spu.ila(4 * 31));  // words 31 and 37
  spu.stwwsa(values, 4 * 40);
  spu.stdwsfa(values, 4 * 42);
  std::vector<u32> written;
  for (u32 word = 0; word < 48; ++word)
    if (spu.localStore().read(word, familyOf(6)) != 0) written.push_back(word);
  EXPECT_EQ(written, (std::vector<u32>{1, 7, 8, 11, 12, 18, 20, 31, 37, 40, 42, 43}));
  EXPECT_EQ(spu.localStore().read(18, familyOf(6)), 2u);
  spu.finish();
  EXPECT_EQ(spu.statistics().stores, 24u + 8u);
  EXPECT_EQ(spu.statistics().mismatches, 0u);
}

// What a store of a word is on the original SPE, by the SPU's own instructions.
TEST(Spu, PatternsPutWordsIntoAQuad) {
  Spu spu(machineOf("original"));
  const Quad old = spu.constant(Words{1, 2, 3, 4}), value = spu.constant(Words{7, 8, 9, 10});
  EXPECT_EQ(spu.shufb(value, old, spu.cwd(spu.ila(32), 8)).words(), (Words{1, 2, 7, 4}));
  EXPECT_EQ(spu.shufb(value, old, spu.cdx(spu.ila(32), spu.ila(8))).words(), (Words{1, 2, 7, 8}));
  EXPECT_EQ(spu.rotqby(old, spu.ila(36)).words(), (Words{2, 3, 4, 1}));
}

TEST(Spu, EstimatesAreGoodToTwelveBits) {
  Spu spu(machineOf("original"));
  for (const float x : {3.0f, 0.7f, 1234.5f}) {
    const Quad a = spu.constant(x);
    const auto real = [](const Quad& quad) { return std::bit_cast<float>(quad.word(0)); };
    EXPECT_NEAR(real(spu.fi(a, spu.frest(a))) * x, 1, 1.0 / 4096);
    EXPECT_NEAR(real(spu.fi(a, spu.frsqest(a))) * std::sqrt(x), 1, 1.0 / 4096);
    EXPECT_EQ(std::bit_cast<u32>(real(spu.fi(a, spu.frest(a)))) & 0xfff, 0u);
  }
}

}  // namespace
}  // namespace warpwright::spe
