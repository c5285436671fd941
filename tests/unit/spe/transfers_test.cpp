// Transfers between the local store and main memory, single ones and lists.
#include <gtest/gtest.h>

#include <numeric>

#include "base/error.hpp"
#include "spe/multi_view.hpp"
#include "spe/spu.hpp"
#include "timeline.hpp"

namespace warpwright::spe {
namespace {

struct Triple {
  float x, y, z;
};

TEST(Transfers, MoveWordsIntoALayoutAndBack) {
  Spu spu(machineOf("sams"));
  std::vector<u32> memory(64);
  std::iota(memory.begin(), memory.end(), 0u);
  spu.attach(memory);
  AOS_DMA_GET(spu, 256, 0, 96, 3, Triple);
  spu.mfcWait(1u << 3);
  View<Triple> points(spu, 256);
  points.begin();
  EXPECT_EQ(points.field(&Triple::z, 1).words(), (Words{5, 8, 11, 14}));
  points.setField(&Triple::x, spu.constant(Words{90, 91, 92, 93}));
  AOS_DMA_PUT(spu, 256, 128, 96, 3, Triple);
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
  View<Triple> points(spu, 256);
  points.begin();
  EXPECT_EQ(points.field(&Triple::x).words(), (Words{100, 103, 106, 109}));
  EXPECT_EQ(points.field(&Triple::x, 4).words(), (Words{40, 43, 202, 205}));
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

}  // namespace
}  // namespace warpwright::spe
