// Instructions, and when they are issued.
#include "spe/spu.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "base/error.hpp"
#include "spe/konata.hpp"
#include "spe/multi_view.hpp"

namespace warpwright::spe {
namespace {

// "ila@0 lqd@2 …": what was issued when.
class Timeline : public PipelineListener {
 public:
  void issued(const Issue& issue) override {
    text += std::string(text.empty() ? "" : " ") + std::string(nameOf(issue.instruction.opcode)) + "@" + std::to_string(issue.cycle);
  }
  std::string text;
};

template <typename Body>
std::string timelineOf(const Machine& machine, Body&& body) {
  Spu spu(machine);
  Timeline timeline;
  spu.listen(&timeline);
  body(spu);
  spu.finish();
  EXPECT_TRUE(spu.statistics().isConserved());
  return timeline.text;
}

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

TEST(Transfers, MoveWordsIntoALayoutAndBack) {
  Spu spu(machineOf("sams"));
  std::vector<u32> memory(64);
  std::iota(memory.begin(), memory.end(), 0u);
  spu.attach(memory);
  AOS_DMA_GET(spu, 256, 0, 96, 3, Point);
  spu.mfcWait(1u << 3);
  View<Point> points(spu, 256);
  points.begin();
  EXPECT_EQ(points.field(&Point::z, 1).words(), (Words{5, 8, 11, 14}));
  points.setField(&Point::x, spu.constant(Words{90, 91, 92, 93}));
  AOS_DMA_PUT(spu, 256, 128, 96, 3, Point);
  EXPECT_EQ(memory[32], 90u);
  EXPECT_EQ(memory[33], 1u);
  EXPECT_EQ(memory[35], 91u);
  spu.finish();
  EXPECT_EQ(spu.statistics().mismatches, 0u);
  EXPECT_EQ(spu.statistics().transferBytes, 192u);
}

// 320 cycles of latency, 8 bytes a cycle.
TEST(Transfers, TakeTheirLatencyAndShareTheBus) {
  const auto cyclesOf = [](u32 transfers, u32 bytes) {
    Spu spu(machineOf("original"));
    std::vector<u32> memory(8192);
    spu.attach(memory);
    for (u32 i = 0; i < transfers; ++i) spu.mfcGet(i * bytes, 0, bytes, 0);
    spu.mfcWait(1);
    spu.finish();
    EXPECT_TRUE(spu.statistics().isConserved());
    return spu.statistics().cycles;
  };
  // Six channel writes; the sixth, in cycle 5, is the command. The read is issued when the last byte is there.
  EXPECT_EQ(cyclesOf(1, 128), 5u + 320 + 16 + 1);
  EXPECT_EQ(cyclesOf(1, 1024), 5u + 320 + 128 + 1);
  EXPECT_EQ(cyclesOf(2, 1024), 5u + 320 + 256 + 1);
}

TEST(Transfers, OnlySixteenWaitInTheQueue) {
  Spu spu(machineOf("original"));
  std::vector<u32> memory(64);
  spu.attach(memory);
  for (u32 i = 0; i < 17; ++i) spu.mfcGet(i * 16, 0, 16, 0);
  spu.finish();
  EXPECT_GT(spu.statistics().stalls[static_cast<std::size_t>(Stall::dma)], 200u);
}

TEST(Transfers, AccessesThatDoNotWaitAreCounted) {
  Spu spu(machineOf("original"));
  std::vector<u32> memory(64);
  spu.attach(memory);
  spu.mfcGet(0, 0, 64, 5);
  spu.lqa(16);
  spu.lqa(64);
  spu.mfcWait(1u << 5);
  spu.lqa(16);
  spu.finish();
  EXPECT_EQ(spu.statistics().unawaited, 1u);
}

TEST(Transfers, WhatCannotBeIsRefused) {
  Spu spu(machineOf("original"));
  std::vector<u32> memory(64);
  spu.attach(memory);
  EXPECT_THROW(spu.mfcGet(0, 0, 8, 0), Error);
  EXPECT_THROW(spu.mfcGet(4, 0, 16, 0), Error);
  EXPECT_THROW(spu.mfcGet(0, 0, 16, 32), Error);
  EXPECT_THROW(spu.mfcGet(0, 0, 512, 0), Error) << "beyond main memory";
  EXPECT_THROW(spu.mfcGet(256 * 1024 - 16, 0, 32, 0), Error) << "beyond the local store";
  EXPECT_THROW(spu.mfcGet(0, 0, 32 * 1024, 0), Error);
}

// A list of elements, of so many bytes at such places of main memory.
u32 writeList(Spu& spu, u32 list, const std::vector<std::pair<u32, u32>>& elements) {
  u32 word = list / 4;
  for (const auto& [bytes, main] : elements) {
    spu.localStore().write(word++, std::nullopt, bytes);
    spu.localStore().write(word++, std::nullopt, main);
  }
  return word * 4 - list;
}

// Elements follow each other in the local store, in the layout that the command names, wherever they are in main memory.
TEST(Lists, GatherAndScatterInTheirOrder) {
  Spu spu(machineOf("sams"));
  std::vector<u32> memory(256);
  std::iota(memory.begin(), memory.end(), 0u);
  spu.attach(memory);
  const u32 bytes = writeList(spu, 0, {{48, 4 * 100}, {16, 4 * 40}, {32, 4 * 200}});
  spu.mfcGetl(256, 0, bytes, 3, familyOf(3));
  spu.mfcWait(1u << 3);
  View<Point> points(spu, 256);
  points.begin();
  EXPECT_EQ(points.field(&Point::x).words(), (Words{100, 103, 106, 109}));
  EXPECT_EQ(points.field(&Point::x, 4).words(), (Words{40, 43, 202, 205}));
  const u32 back = writeList(spu, 64, {{16, 4 * 20}, {48, 0}});
  spu.mfcPutl(256, 64, back, 3, familyOf(3));
  spu.mfcWait(1u << 3);
  EXPECT_EQ(memory[20], 100u);
  EXPECT_EQ(memory[23], 103u);
  EXPECT_EQ(memory[0], 104u);
  EXPECT_EQ(memory[7], 111u);
  EXPECT_EQ(memory[12], 12u);
  spu.finish();
  EXPECT_EQ(spu.statistics().mismatches, 0u);
  EXPECT_EQ(spu.statistics().transfers, 2u);
  EXPECT_EQ(spu.statistics().transferBytes, 96u + 64u);
  EXPECT_EQ(spu.statistics().unawaited, 0u);
}

// An element's latency begins a cycle after the command, when its part of the list has been read, and latencies overlap: then 8 bytes a
// cycle.
TEST(Lists, TakeOneLatencyAndShareTheBus) {
  const auto cyclesOf = [](const std::vector<std::pair<u32, u32>>& elements) {
    Spu spu(machineOf("original"));
    std::vector<u32> memory(8192);
    spu.attach(memory);
    spu.mfcGetl(0x8000, 0, writeList(spu, 0, elements), 0);
    spu.mfcWait(1);
    spu.finish();
    EXPECT_TRUE(spu.statistics().isConserved());
    return spu.statistics().cycles;
  };
  EXPECT_EQ(cyclesOf({{128, 0}}), 5u + 1 + 320 + 16 + 1);
  EXPECT_EQ(cyclesOf({{1024, 0}, {16, 2048}, {512, 4096}}), 5u + 1 + 320 + 128 + 2 + 64 + 1);
  // Seventeen elements take two reads of the list. The bus is free of the sixteenth before the seventeenth comes, where they are small.
  EXPECT_EQ(cyclesOf(std::vector<std::pair<u32, u32>>(17, {16, 0})), 5u + 1 + 320 + 17 * 2 + 1);
}

// The command is given in cycle 5; the list comes through the port in the next one, before a load.
TEST(Lists, AreReadBeforeLoads) {
  const auto loadAfter = [](bool listed) {
    return timelineOf(machineOf("original"), [&](Spu& spu) {
      std::vector<u32> memory(64);
      spu.attach(memory);
      const u32 bytes = writeList(spu, 0, {{16, 0}});
      if (listed) spu.mfcGetl(0x1000, 0, bytes, 0);
      if (!listed) spu.mfcGet(0x1000, 0, 16, 0);
      spu.lqa(0x2000);
    });
  };
  EXPECT_TRUE(loadAfter(false).ends_with("wrch@5 lqa@6")) << loadAfter(false);
  EXPECT_TRUE(loadAfter(true).ends_with("wrch@5 lqa@7")) << loadAfter(true);
}

// A list of many elements is one command of the queue.
TEST(Lists, WaitInTheQueueAsOneCommand) {
  Spu spu(machineOf("original"));
  std::vector<u32> memory(64);
  spu.attach(memory);
  const u32 bytes = writeList(spu, 0, std::vector<std::pair<u32, u32>>(4, {16, 0}));
  for (u32 i = 0; i < 16; ++i) spu.mfcGetl(0x1000, 0, bytes, 0);
  spu.finish();
  EXPECT_EQ(spu.statistics().stalls[static_cast<std::size_t>(Stall::dma)], 0u);
  EXPECT_EQ(spu.statistics().transfers, 16u);
}

TEST(Lists, AreNotToBeTouchedBeforeTheyAreWaitedFor) {
  Spu spu(machineOf("original"));
  std::vector<u32> memory(64);
  spu.attach(memory);
  const u32 bytes = writeList(spu, 0x100, {{16, 0}, {32, 64}});
  spu.mfcGetl(0, 0x100, bytes, 5);
  spu.lqa(32);     // of the second element
  spu.lqa(0x100);  // the list
  spu.lqa(48);
  spu.mfcWait(1u << 5);
  spu.lqa(32);
  spu.finish();
  EXPECT_EQ(spu.statistics().unawaited, 2u);
}

// The words of each transfer are those that one command after the other would have brought.
TEST(Lists, MoveWhatSingleTransfersMove) {
  for (u32 seed = 1; seed < 20; ++seed) {
    Spu listed(machineOf("sams")), single(machineOf("sams"));
    std::vector<u32> memory(4096);
    std::iota(memory.begin(), memory.end(), 1000u);
    listed.attach(memory);
    single.attach(memory);
    const Family family = familyOf(seed);
    std::vector<std::pair<u32, u32>> elements;
    u32 local = 0x2000;
    for (u32 i = 0; i < seed; ++i) {
      elements.emplace_back(16 * (1 + (i * 7 + seed) % 5), 16 * ((i * 37 + seed * 11) % 200));
      single.mfcGet(local, elements.back().second, elements.back().first, 1, family);
      local += elements.back().first;
    }
    listed.mfcGetl(0x2000, 0x1000, writeList(listed, 0x1000, elements), 1, family);
    for (u32 word = 0x2000 / 4; word < local / 4; ++word)
      ASSERT_EQ(listed.localStore().read(word, family), single.localStore().read(word, family)) << seed << ' ' << word;
    listed.finish();
    single.finish();
    EXPECT_EQ(listed.statistics().transferBytes, single.statistics().transferBytes);
    EXPECT_LE(listed.statistics().cycles, single.statistics().cycles);
  }
}

TEST(Lists, ThatCannotBeAreRefused) {
  Spu spu(machineOf("original"));
  std::vector<u32> memory(64);
  spu.attach(memory);
  writeList(spu, 0, {{16, 0}, {8, 0}, {16, 1024}});
  writeList(spu, 0x200, {{0x8000'0010, 0}});
  EXPECT_THROW(spu.mfcGetl(0x1000, 0, 0, 0), Error) << "no elements";
  EXPECT_THROW(spu.mfcGetl(0x1000, 0, 12, 0), Error) << "half an element";
  EXPECT_THROW(spu.mfcGetl(0x1000, 4, 8, 0), Error) << "between elements";
  EXPECT_THROW(spu.mfcGetl(0x1000, 0, 16 * 1024 + 8, 0), Error) << "too many";
  EXPECT_THROW(spu.mfcGetl(0x1000, 256 * 1024 - 8, 16, 0), Error) << "beyond the local store";
  EXPECT_THROW(spu.mfcGetl(0x1000, 0, 16, 0), Error) << "an element of eight bytes";
  EXPECT_THROW(spu.mfcGetl(0x1000, 16, 8, 0), Error) << "an element beyond main memory";
  EXPECT_THROW(spu.mfcGetl(0x1000, 0x200, 8, 0), Error) << "an element that stalls and notifies";
  EXPECT_THROW(spu.mfcGetl(0x1000, 0, 8, 32), Error);
  EXPECT_NO_THROW(spu.mfcGetl(0x1000, 0, 8, 0));
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
