// Accesses are coalesced in two places: for the timed machine by the rules of its generation (sm), and for the profile as sectors and lines
// of 128 bytes (access). What both say of an access is the same.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <set>

#include "access/coalescer.hpp"
#include "property/random.hpp"
#include "sm/access/private_memory.hpp"
#include "sm/address_spaces.hpp"
#include "sm/coalescing.hpp"

namespace warpwright::sm {
namespace {

using warpwright::testing::Random;
using Addresses = std::array<u64, kMaxWarpSize>;

constexpr u32 kLine = access::kLineBytes;

LaneMask randomLanes(Random& random, u32 warpSize) {
  const LaneMask all = LaneMask::first(warpSize);
  if (random.chance(30)) return all;
  if (random.chance(30)) return LaneMask::of(static_cast<u32>(random.below(warpSize)));
  const LaneMask some = LaneMask(random.next()) & all;
  return some ? some : all;
}

// Strided, of one place, or scattered; aligned to the access or not.
Addresses randomAddresses(Random& random, u64 base, u32 bytes) {
  const u64 step = random.chance(30) ? bytes : random.chance(30) ? 0 : random.below(300), first = random.below(1024);
  const bool isScattered = random.chance(30), isAligned = random.chance(60);
  Addresses addresses{};
  for (u32 lane = 0; lane < kMaxWarpSize; ++lane) {
    const u64 offset = isScattered ? random.below(4096) : first + lane * step;
    addresses[lane] = base + (isAligned ? offset / bytes * bytes : offset);
  }
  return addresses;
}

struct Touched {
  std::set<u64> sectors, lines;
  bool operator==(const Touched&) const = default;
};

void add(Touched& touched, std::span<const Transaction> transactions) {
  for (const Transaction& each : transactions) {
    for (u32 sector = 0; sector < kLine / kSectorBytes; ++sector) {
      if ((each.sectors >> sector & 1) == 0) continue;
      touched.sectors.insert(each.address / kSectorBytes + sector);
      touched.lines.insert(each.address / kLine);
    }
  }
}

Touched touchedBy(const access::Coalescer& coalescer) {
  Touched result;
  for (const u64 sector : coalescer.sectors()) {
    result.sectors.insert(sector);
    result.lines.insert(sector * kSectorBytes / kLine);
  }
  EXPECT_EQ(coalescer.lines(), result.lines.size());
  EXPECT_EQ(coalescer.sectors().size(), result.sectors.size());
  return result;
}

TEST(Coalescers, AgreeOnGlobalMemory) {
  Random random(41);
  access::Coalescer profile;
  for (u32 i = 0; i < 20'000; ++i) {
    const u32 warpSize = 4u << random.below(5), bytes = 1u << random.below(5);
    const LaneMask lanes = randomLanes(random, warpSize);
    const Addresses addresses = randomAddresses(random, u64{1} << 32, bytes);
    profile.global(addresses.data(), lanes, bytes);
    const Touched expected = touchedBy(profile);
    const u32 subWarp = 1u << random.below(4);
    for (const auto rules : {config::Coalescing::sectors, config::Coalescing::subWarpBlocks}) {
      CoalescingUnit unit(rules, warpSize, kLine, subWarp);
      Touched timed;
      add(timed, unit.access(addresses.data(), lanes, bytes, true));
      ASSERT_EQ(timed, expected) << warpSize << " lanes, " << bytes << " bytes, sub-warps of " << subWarp << ", case " << i;
    }
  }
}

// The timed machine looks at each word of a wide access by itself.
TEST(Coalescers, AgreeOnPrivateMemory) {
  Random random(42);
  access::Coalescer profile;
  for (u32 i = 0; i < 20'000; ++i) {
    config::Machine machine;
    machine.warpSize = 4u << random.below(5);
    machine.sm.localSpacing = 4096;
    const u32 bytes = 1u << random.below(5);
    const LaneMask lanes = randomLanes(random, machine.warpSize);
    Addresses offsets = randomAddresses(random, 0, bytes);
    for (u64& offset : offsets) offset = offset / bytes * bytes;
    const PrivateVectors vectors = privateVectors(machine, SmId{0}, SlotId{0}, 1 << 16);
    ASSERT_EQ(vectors.first, kLocalBase);
    CoalescingUnit unit(random.chance(50) ? config::Coalescing::sectors : config::Coalescing::subWarpBlocks, machine.warpSize, kLine, 4);
    Touched timed;
    const u32 piece = std::min(bytes, kInterleavedWordBytes);
    for (u32 at = 0; at < bytes; at += piece) {
      Addresses places{};
      for (const LaneId lane : LaneMask::first(machine.warpSize))
        places[lane] = vectors.addressOf(offsets[lane] + at, lane) - vectors.first;
      add(timed, unit.access(places.data(), lanes, piece, true));
    }
    profile.local(offsets.data(), lanes, bytes, machine.warpSize);
    ASSERT_EQ(timed, touchedBy(profile)) << machine.warpSize << " lanes, " << bytes << " bytes, case " << i;
  }
}

}  // namespace
}  // namespace warpwright::sm
