#include "access/mapped_banks.hpp"

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <random>
#include <set>
#include <warpwright/parallel_memory/interleaving.hpp>
#include <warpwright/parallel_memory/sams.hpp>
#include <warpwright/parallel_memory/schemes.hpp>

#include "access/bank_conflicts.hpp"

namespace warpwright::access {
namespace {

namespace pm = parallel_memory;
using Offsets = std::array<u64, kMaxWarpSize>;

constexpr Geometry kFermi{32, 32, 4}, kTesla{32, 16, 4, false};

Offsets strided(u64 words, u64 base = 0) {
  Offsets offsets{};
  for (u32 lane = 0; lane < kMaxWarpSize; ++lane) offsets[lane] = 4 * (base + lane * words);
  return offsets;
}

u32 passes(const Geometry& machine, const Offsets& offsets, const pm::BankMap& map, u32 bytes = 4, LaneMask mask = LaneMask::first(32)) {
  BankConflicts banks(machine);
  const pm::BankTable table(map);
  banks.access(offsets.data(), mask, bytes, Spread::unknown, &table);
  return banks.passes();
}

TEST(MappedBanks, ATableOfInterleavingIsInterleaving) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 5'000; ++round) {
    const Geometry machine{32, 1u << random() % 6, random() % 2 == 0 ? 4u : 8u, random() % 2 == 0};
    const pm::BankTable table(pm::LowOrder(machine.sharedBanks, 2048));
    const u32 bytes = 1u << random() % 5;
    const LaneMask mask = LaneMask(random()) & LaneMask::first(32);
    Offsets offsets;
    for (u64& offset : offsets) offset = random() % 4096 / bytes * bytes;
    BankConflicts plain(machine), mapped(machine);
    plain.access(offsets.data(), mask, bytes);
    mapped.access(offsets.data(), mask, bytes, Spread::unknown, &table);
    ASSERT_EQ(plain.passes(), mapped.passes()) << bytes << ' ' << machine.multicast << ' ' << machine.sharedBanks;
    ASSERT_EQ(plain.phases(), mapped.phases());
    ASSERT_EQ(plain.words(), mapped.words()) << bytes << ' ' << machine.multicast << ' ' << machine.sharedBanks;
    plain.atomic(offsets.data(), mask, bytes);
    mapped.atomic(offsets.data(), mask, bytes, &table);
    ASSERT_EQ(plain.passes(), mapped.passes());
    ASSERT_EQ(plain.words(), mapped.words());
  }
}

TEST(MappedBanks, AgreesWithTheDefinitionForEveryScheme) {
  std::mt19937_64 random(12);
  for (const pm::Scheme& scheme : pm::schemes()) {
    const u32 q = scheme.name == "latin" || scheme.name == "bi_base" ? 4 : 5;  // which exist for square numbers of banks
    const auto map = pm::makeBankMap(std::string(scheme.name), {q, 12});
    const Geometry machine{32, 1u << q, 4};
    for (int round = 0; round < 200; ++round) {
      Offsets offsets;
      for (u64& offset : offsets) offset = random() % 512 * 4;
      std::map<u32, std::set<u64>> rows;
      u32 expected = 0, words = 0;
      for (u32 first = 0; first < 32; first += machine.sharedBanks) {
        rows.clear();
        std::size_t worst = 0;
        for (u32 lane = first; lane < first + machine.sharedBanks; ++lane) {
          const pm::Cell cell = map->cellOf(offsets[lane] / 4);
          rows[cell.bank].insert(cell.row);
          worst = std::max(worst, rows[cell.bank].size());
        }
        expected += static_cast<u32>(worst);
        for (const auto& [bank, ofBank] : rows) words += static_cast<u32>(ofBank.size()) * map->lineWords();
      }
      BankConflicts banks(machine);
      const pm::BankTable table(*map);
      banks.access(offsets.data(), LaneMask::first(32), 4, Spread::unknown, &table);
      ASSERT_EQ(banks.passes(), expected) << scheme.name;
      ASSERT_EQ(banks.words(), words) << scheme.name;
    }
  }
}

TEST(MappedBanks, SamsServesUnitStrideAndItsFamilyFromAnyBase) {
  const pm::Sams map(5, 4, 14);
  for (u64 base = 0; base < 64; ++base)
    for (const u64 stride : {1u, 16u, 48u, 80u}) EXPECT_EQ(passes(kFermi, strided(stride, base), map), 1u) << stride;
  EXPECT_EQ(passes(kFermi, strided(32), pm::LowOrder(32, 4096)), 32u);
  EXPECT_EQ(passes(kFermi, strided(32), pm::Sams(5, 5, 12)), 1u);
}

TEST(MappedBanks, WideElementsAreServedInParts) {
  EXPECT_EQ(passes(kFermi, strided(2), pm::NotAStride(5, 4096), 8), 2u);  // half-warps: 16 lanes of one line each
  EXPECT_EQ(passes(kFermi, strided(4), pm::NotAStride(5, 4096), 16), 4u);
}

// A bank serves both words of its line in a pass, each to one lane.
TEST(MappedBanks, WithOneBroadcastALineServesTwoLanes) {
  Offsets offsets = strided(1);
  EXPECT_EQ(passes(kTesla, offsets, pm::NotAStride(4, 1024), 4, LaneMask::first(16)), 1u);
  offsets[2] = offsets[1];  // word 1 once more; word 0 is the broadcast
  EXPECT_EQ(passes(kTesla, offsets, pm::NotAStride(4, 1024), 4, LaneMask::first(16)), 2u);
}

// A line of two words brings the word that nobody asked for, too.
TEST(MappedBanks, WideLinesBringMoreWordsThanAreAskedFor) {
  const auto words = [](const Offsets& offsets, const pm::BankMap* map) {
    BankConflicts banks(kFermi);
    std::optional<pm::BankTable> table;
    if (map != nullptr) table.emplace(*map);
    banks.access(offsets.data(), LaneMask::first(32), 4, Spread::unknown, table ? &*table : nullptr);
    return banks.words();
  };
  const pm::NotAStride wide(5, 4096);
  EXPECT_EQ(words(strided(1), nullptr), 32u);
  EXPECT_EQ(words(strided(1), &wide), 32u);
  EXPECT_EQ(words(strided(2), nullptr), 32u);
  EXPECT_EQ(words(strided(2), &wide), 64u);
  EXPECT_EQ(words(strided(0), nullptr), 1u);
  EXPECT_EQ(words(strided(0), &wide), 2u);
}

TEST(MappedBanks, AtomicsTakeAPassForEveryUpdateOfABank) {
  BankConflicts banks(kFermi);
  const pm::BankTable table(pm::NotAStride(5, 1024));
  banks.atomic(strided(1).data(), LaneMask::first(32), 4, &table);
  EXPECT_EQ(banks.passes(), 2u);
}

}  // namespace
}  // namespace warpwright::access
