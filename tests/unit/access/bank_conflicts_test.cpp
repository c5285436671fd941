#include "access/bank_conflicts.hpp"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <vector>

namespace warpwright::access {
namespace {

using Offsets = std::array<u64, kMaxWarpSize>;

Offsets strided(u64 stride) {
  Offsets offsets{};
  for (u32 lane = 0; lane < kMaxWarpSize; ++lane) offsets[lane] = lane * stride;
  return offsets;
}

struct Passes {
  u32 passes = 0, words = 0;
};

// Straight from the definition: the most distinct words of one bank, group by group.
Passes byDefinition(const Geometry& machine, const Offsets& offsets, LaneMask mask, u32 bytes, u32 lanesPerPhase) {
  Passes all;
  for (u32 first = 0; first < machine.warpSize; first += lanesPerPhase) {
    std::map<u64, std::set<u64>> wordsOfBank;
    for (u32 lane = first; lane < first + lanesPerPhase; ++lane) {
      if (!mask.contains(lane)) continue;
      for (u32 byte = 0; byte < bytes; ++byte) {
        const u64 word = (offsets[lane] + byte) / machine.sharedBankBytes;
        wordsOfBank[word % machine.sharedBanks].insert(word);
      }
    }
    std::size_t worst = 0;
    for (const auto& [bank, words] : wordsOfBank) {
      worst = std::max(worst, words.size());
      all.words += static_cast<u32>(words.size());
    }
    all.passes += static_cast<u32>(worst);
  }
  return all;
}
u32 passesByDefinition(const Geometry& machine, const Offsets& offsets, LaneMask mask, u32 bytes, u32 lanesPerPhase) {
  return byDefinition(machine, offsets, mask, bytes, lanesPerPhase).passes;
}

constexpr LaneMask kWarp = LaneMask::first(32);
constexpr Geometry kFermi{32, 32, 4};

TEST(BankConflicts, StrideKHasDegreeGcdOfKAndBanks) {
  BankConflicts banks(kFermi);
  for (u32 stride = 1; stride <= 32; ++stride) {
    const Offsets offsets = strided(u64{stride} * 4);
    banks.access(offsets.data(), kWarp, 4);
    EXPECT_EQ(banks.phases(), 1u);
    EXPECT_EQ(banks.degree(0), std::gcd(stride, 32u)) << "stride " << stride;
    EXPECT_EQ(banks.passes(), passesByDefinition(kFermi, offsets, kWarp, 4, 32)) << "stride " << stride;
  }
}

TEST(BankConflicts, AWordThatSeveralLanesNeedCountsOnce) {
  BankConflicts banks(kFermi);
  banks.access(strided(0).data(), kWarp, 4);
  EXPECT_EQ(banks.degree(0), 1u);
  banks.access(strided(1).data(), kWarp, 1);  // four lanes a word
  EXPECT_EQ(banks.degree(0), 1u);
  Offsets pairs{};
  for (u32 lane = 0; lane < 32; ++lane) pairs[lane] = lane % 2 * 128;  // two words of bank 0
  banks.access(pairs.data(), kWarp, 4);
  EXPECT_EQ(banks.degree(0), 2u);
}

TEST(BankConflicts, WideLanesAreServedInParts) {
  BankConflicts banks(kFermi);
  banks.access(strided(8).data(), kWarp, 8);  // half-warps
  EXPECT_EQ(banks.phases(), 2u);
  EXPECT_EQ(banks.passes(), 2u);
  banks.access(strided(16).data(), kWarp, 16);  // quarter-warps
  EXPECT_EQ(banks.phases(), 4u);
  EXPECT_EQ(banks.passes(), 4u);
  banks.access(strided(32).data(), kWarp, 16);  // every other 16 B: two-way
  EXPECT_EQ(banks.phases(), 4u);
  EXPECT_EQ(banks.passes(), 8u);
}

TEST(BankConflicts, SixteenBanksServeHalfWarps) {
  BankConflicts banks({32, 16, 4});
  banks.access(strided(4).data(), kWarp, 4);
  EXPECT_EQ(banks.phases(), 2u);
  EXPECT_EQ(banks.passes(), 2u);
  banks.access(strided(64).data(), kWarp, 4);
  EXPECT_EQ(banks.passes(), 32u);
}

TEST(BankConflicts, InactiveLanesNeedNothing) {
  BankConflicts banks(kFermi);
  banks.access(strided(128).data(), LaneMask(0x7), 4);
  EXPECT_EQ(banks.degree(0), 3u);
  banks.access(strided(8).data(), LaneMask::first(16), 8);  // the upper half-warp is idle
  EXPECT_EQ(banks.phases(), 1u);
}

TEST(BankConflicts, SmallAndLargeWarps) {
  BankConflicts four({4, 32, 4});
  four.access(strided(128).data(), LaneMask::first(4), 4);
  EXPECT_EQ(four.phases(), 1u);
  EXPECT_EQ(four.passes(), 4u);
  BankConflicts sixtyFour({64, 32, 4});
  sixtyFour.access(strided(4).data(), LaneMask::first(64), 4);
  EXPECT_EQ(sixtyFour.phases(), 2u);
  EXPECT_EQ(sixtyFour.passes(), 2u);
  sixtyFour.access(strided(128).data(), LaneMask::first(64), 4);
  EXPECT_EQ(sixtyFour.passes(), 64u);
}

TEST(BankConflicts, WideBanksHoldTwoWords) {
  BankConflicts banks({32, 32, 8});
  banks.access(strided(8).data(), kWarp, 8);
  EXPECT_EQ(banks.phases(), 1u);
  EXPECT_EQ(banks.passes(), 1u);
  banks.access(strided(8).data(), kWarp, 4);
  EXPECT_EQ(banks.passes(), 1u);
}

TEST(BankConflicts, AgreesWithTheDefinitionOnRandomOffsets) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 20'000; ++round) {
    const Geometry machine{4u << random() % 5, 1u << random() % 7, random() % 2 == 0 ? 4u : 8u};
    const u32 bytes = 1u << random() % 5;
    const LaneMask mask = LaneMask(round % 3 == 0 ? ~u64{0} : random()) & LaneMask::first(machine.warpSize);
    Offsets offsets;
    const u64 range = u64{256} << random() % 9, begin = random() % 4096 / bytes * bytes;
    const u64 unit = random() % 4 == 0 ? 1 : bytes;
    for (u64& offset : offsets) offset = begin + random() % range / unit * unit;
    const u32 words = std::max(1u, bytes / machine.sharedBankBytes);
    const u32 lanesPerPhase = std::min(machine.warpSize, std::max(1u, machine.sharedBanks / words));
    BankConflicts banks(machine);
    banks.access(offsets.data(), mask, bytes, Spread::scattered);
    const Passes expected = byDefinition(machine, offsets, mask, bytes, lanesPerPhase);
    ASSERT_EQ(banks.passes(), expected.passes);
    ASSERT_EQ(banks.words(), expected.words);
  }
}

// --- one word broadcast a pass, as compute capability 1.x

constexpr Geometry kTesla{32, 16, 4, false};

TEST(OneBroadcast, OneWordForAllTakesOnePassForEachHalfWarp) {
  BankConflicts banks(kTesla);
  banks.access(strided(0).data(), kWarp, 4);
  EXPECT_EQ(banks.passes(), 2u);
}

TEST(OneBroadcast, ASecondSharedWordWaits) {
  Offsets offsets{};
  for (u32 lane = 0; lane < 16; ++lane) offsets[lane] = lane < 8 ? 0 : 4;
  BankConflicts banks(kTesla), multicast({32, 16, 4, true});
  banks.access(offsets.data(), LaneMask::first(16), 4);
  EXPECT_EQ(banks.passes(), 2u);  // word 0 for eight lanes, and word 1 for one of the others; then word 1 for the rest
  multicast.access(offsets.data(), LaneMask::first(16), 4);
  EXPECT_EQ(multicast.passes(), 1u);
}

// The guide's example of 8-bit accesses: four lanes share each word.
TEST(OneBroadcast, NeighbouringBytesConflict) {
  BankConflicts banks(kTesla);
  banks.access(strided(1).data(), LaneMask::first(16), 1);
  // In each pass one word for all of its lanes, and one lane of each other: 4 + 1 + 1 + 1 lanes, 3 + 1 + 1, 2 + 1, 1.
  EXPECT_EQ(banks.passes(), 4u);
}

TEST(OneBroadcast, WideLanesShareWordsToo) {
  BankConflicts banks(kTesla);
  banks.access(strided(8).data(), kWarp, 8);  // no two lanes share a word
  EXPECT_EQ(banks.passes(), 4u);
  banks.access(strided(0).data(), LaneMask::first(8), 8);  // all of them want both words
  EXPECT_EQ(banks.passes(), 2u);
}

TEST(OneBroadcast, DistinctWordsTakeAsLongAsWithMulticast) {
  BankConflicts banks(kTesla), multicast({32, 16, 4, true});
  for (u32 stride = 1; stride <= 64; ++stride) {
    const Offsets offsets = strided(u64{stride} * 4);
    banks.access(offsets.data(), kWarp, 4);
    multicast.access(offsets.data(), kWarp, 4);
    EXPECT_EQ(banks.passes(), multicast.passes()) << "stride " << stride;
  }
}

// By the guide's procedure: until no lane is left, one word for all lanes that want it, and one lane of each other bank.
u32 passesByProcedure(const Geometry& machine, const Offsets& offsets, LaneMask lanes, u32 bytes) {
  std::vector<u64> left;  // words, in the order of the lanes
  for (u32 lane = 0; lane < machine.warpSize; ++lane) {
    for (u32 piece = 0; lanes.contains(lane) && piece < bytes; piece += machine.sharedBankBytes)
      left.push_back((offsets[lane] + piece) / machine.sharedBankBytes);
  }
  u32 passes = 0;
  for (; !left.empty(); ++passes) {
    const u64 broadcast = left.front();
    std::set<u64> busy = {broadcast % machine.sharedBanks};
    std::vector<u64> later;
    for (const u64 word : left) {
      if (word != broadcast && !busy.insert(word % machine.sharedBanks).second) later.push_back(word);
    }
    left = later;
  }
  return passes;
}

TEST(OneBroadcast, AgreesWithTheProcedureOnRandomOffsets) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 5'000; ++round) {
    const u32 bankBytes = random() % 2 == 0 ? 4 : 8;
    const Geometry machine{4u << random() % 5, 1u << random() % 7, bankBytes, false, 4u << random() % 5};
    const u32 bytes = 1u << random() % 5;
    const LaneMask mask = LaneMask(random()) & LaneMask::first(machine.warpSize);
    Offsets offsets;
    for (u64& offset : offsets) offset = random() % 512 / bytes * bytes;  // many lanes share words
    const u32 words = std::max(1u, bytes / bankBytes);
    const u32 group = std::max(1u, std::min({machine.warpSize, machine.lanesTogether, machine.sharedBanks / words}));
    BankConflicts banks(machine);
    banks.access(offsets.data(), mask, bytes);
    u32 phase = 0;
    for (u32 first = 0; first < machine.warpSize; first += group) {
      const LaneMask lanes = mask & LaneMask::range(first, group);
      if (lanes.empty()) continue;
      ASSERT_EQ(banks.firstLane(phase), first);
      ASSERT_EQ(banks.degree(phase++), passesByProcedure(machine, offsets, lanes, bytes));
    }
    ASSERT_EQ(banks.phases(), phase);
  }
}

// A pipeline of eight lanes reaches the banks with eight lanes a cycle, whatever the number of banks.
TEST(BankConflicts, PhasesAreNoLargerThanTheLanesThatComeTogether) {
  BankConflicts banks({32, 32, 4, true, 8});
  banks.access(strided(4).data(), kWarp & ~LaneMask{0xff00}, 4);
  ASSERT_EQ(banks.phases(), 3u);
  EXPECT_EQ(banks.firstLane(0), 0u);
  EXPECT_EQ(banks.firstLane(1), 16u);
  EXPECT_EQ(banks.firstLane(2), 24u);
  banks.access(strided(64).data(), kWarp, 4);  // two banks: sixteen words of each in a warp, four in eight lanes
  EXPECT_EQ(banks.degree(3), 4u);
}

// What an earlier access of the same shape has shown holds for the next one, and for no other.
TEST(BankConflicts, AccessesThatComeBackSomeWordsFurther) {
  std::mt19937_64 random(5);
  BankConflicts banks(kFermi);
  std::array<Offsets, 6> shapes;
  for (Offsets& shape : shapes) {
    for (u64& offset : shape) offset = random() % 96 * 2;
    shape[1] = shape[0] + 2;
  }
  for (u32 round = 0; round < 200; ++round) {
    Offsets offsets = shapes[random() % shapes.size()];
    const u64 further = random() % 64 * 2;
    for (u64& offset : offsets) offset += further;
    banks.access(offsets.data(), kWarp, 2);
    ASSERT_EQ(banks.passes(), passesByDefinition(kFermi, offsets, kWarp, 2, 32)) << "round " << round;
  }
}

// What is remembered of an access is what another that was never asked would say: of loads and stores with the same offsets, of all widths.
TEST(BankConflicts, WhatIsRememberedIsWhatComesAnew) {
  Geometry volta = kFermi;
  volta.pairsTogether = true;
  BankConflicts remembering(volta);
  std::mt19937_64 random(7);
  const auto below = [&](u64 end) { return random() % end; };
  std::vector<Offsets> shapes;
  for (u32 i = 0; i < 6; ++i) {
    Offsets& offsets = shapes.emplace_back();
    const u64 lanesOfOne = u64{1} << below(4), apart = 16 * (1 + below(2));
    for (u32 lane = 0; lane < kMaxWarpSize; ++lane) offsets[lane] = lane / lanesOfOne * apart;
  }
  for (u32 i = 0; i < 2000; ++i) {
    const u32 bytes = 1u << below(5);
    Offsets offsets = shapes[below(shapes.size())];
    for (u64& offset : offsets) offset += 16 * (i % 7) + (bytes < 4 ? bytes * (i % 3) : 0);
    const bool isLoad = below(2) != 0;
    BankConflicts fresh(volta);
    for (BankConflicts* each : {&remembering, &fresh}) {
      if (isLoad) {
        each->load(offsets.data(), kWarp, bytes);
      } else {
        each->access(offsets.data(), kWarp, bytes);
      }
    }
    ASSERT_EQ(remembering.phases(), fresh.phases()) << i;
    ASSERT_EQ(remembering.passes(), fresh.passes()) << i;
    ASSERT_EQ(remembering.words(), fresh.words()) << i;
    for (u32 phase = 0; phase < fresh.phases(); ++phase) {
      ASSERT_EQ(remembering.degree(phase), fresh.degree(phase)) << i;
      ASSERT_EQ(remembering.firstLane(phase), fresh.firstLane(phase)) << i;
    }
  }
}

// NVIDIA's developer forum, thread 77228: a load of 128 bits whose lanes ask in pairs takes two passes and not four.
TEST(BankConflicts, WideLoadsInPairsTakeHalfThePasses) {
  Geometry volta = kFermi;
  volta.pairsTogether = true;
  BankConflicts banks(volta), apart(kFermi);
  const auto offsetsOf = [](auto address) {
    Offsets offsets{};
    for (u32 lane = 0; lane < kMaxWarpSize; ++lane) offsets[lane] = u64{address(lane)} * 16;
    return offsets;
  };
  const auto passes = [&](const Offsets& offsets, LaneMask mask = kWarp, u32 bytes = 16, Spread spread = Spread::unknown) {
    banks.load(offsets.data(), mask, bytes, spread);
    return banks.passes();
  };
  const Offsets one = offsetsOf([](u32) { return 3u; }), halves = offsetsOf([](u32 lane) { return lane / 16 * 40; });
  const Offsets neighbours = offsetsOf([](u32 lane) { return lane / 2; });
  const Offsets overOne = offsetsOf([](u32 lane) { return lane / 4 * 2 + lane % 2; });
  const Offsets overThree = offsetsOf([](u32 lane) { return lane / 8 * 4 + lane % 4; });
  EXPECT_EQ(passes(one), 2u);
  EXPECT_EQ(passes(one, kWarp, 16, Spread::uniform), 2u);
  EXPECT_EQ(passes(halves), 2u) << "as sgemm's columns of A";
  EXPECT_EQ(passes(neighbours), 2u);
  EXPECT_EQ(passes(overOne), 2u);
  EXPECT_EQ(passes(overThree), 4u) << "lanes n and n^4";
  EXPECT_EQ(passes(offsetsOf([](u32 lane) { return lane; })), 4u);
  EXPECT_EQ(passes(offsetsOf([](u32 lane) { return lane; }), LaneMask(0x55555555)), 4u)
      << "no lane has a partner, and lanes 0 and 8 want the same banks";
  EXPECT_EQ(passes(offsetsOf([](u32 lane) { return lane / 2 * 8; })), 16u) << "conflicts stay: every pair wants the same banks";
  EXPECT_EQ(passes(one, kWarp, 8), 1u);
  EXPECT_EQ(passes(one, kWarp, 4), 1u);
  banks.access(one.data(), kWarp, 16);
  EXPECT_EQ(banks.passes(), 4u) << "a store";
  apart.load(one.data(), kWarp, 16);
  EXPECT_EQ(apart.passes(), 4u) << "a machine that does not pack";
}

TEST(BankConflicts, AtomicsOnAWordTakeAPassForEachLane) {
  BankConflicts banks(kFermi);
  banks.atomic(strided(0).data(), kWarp, 4);
  EXPECT_EQ(banks.passes(), 32u);
  banks.atomic(strided(0).data(), LaneMask(0b1011), 4);
  EXPECT_EQ(banks.passes(), 3u);
  banks.atomic(strided(4).data(), kWarp, 4);
  EXPECT_EQ(banks.passes(), 1u);
  banks.atomic(strided(8).data(), kWarp, 4);  // two words a bank
  EXPECT_EQ(banks.passes(), 2u);
  Offsets halves = strided(4);  // both halves of the warp update the same sixteen words
  for (u32 lane = 16; lane < 32; ++lane) halves[lane] -= 64;
  banks.atomic(halves.data(), kWarp, 4);
  EXPECT_EQ(banks.passes(), 2u);
}

}  // namespace
}  // namespace warpwright::access
