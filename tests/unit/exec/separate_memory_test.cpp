// What one SM keeps to itself until others may see it: stores in a buffer, atomics that are still to be performed.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "exec/deferred_atomics.hpp"
#include "exec/memory.hpp"
#include "exec/store_buffer.hpp"

namespace warpwright::exec {
namespace {

// Against plain bytes: `seen` is what the SM sees, `memory` what all see.
TEST(StoreBuffer, RandomStoresLoadsAndPublications) {
  constexpr u32 kBytes = 1 << 14;
  GlobalMemory memory({64, u64{64} << 20, false});
  const GlobalAddress base = memory.allocate(kBytes, AllocationKind::device).value();
  auto* bytes = reinterpret_cast<u8*>(GlobalMemory::hostPointer(base));
  std::vector<u8> seen(kBytes), open(kBytes);
  StoreBuffer buffer;
  std::mt19937_64 random(5);
  for (u32 round = 0; round < 40'000; ++round) {
    const auto size = static_cast<u32>(1 + random() % 200);
    const auto at = static_cast<u32>(random() % (kBytes - size));
    if (random() % 3 != 0) {
      std::vector<u8> data(size);
      for (u8& byte : data) byte = static_cast<u8>(random());
      buffer.store(base + at, size, data.data());
      std::copy(data.begin(), data.end(), seen.begin() + at);
    }
    const auto width = static_cast<u32>(1u << random() % 5);
    const auto from = static_cast<u32>(random() % (kBytes - width));
    std::vector<u8> loaded(open.begin() + from, open.begin() + from + width);
    const bool patched = buffer.patch(base + from, width, loaded.data());
    ASSERT_TRUE(std::equal(loaded.begin(), loaded.end(), seen.begin() + from)) << "round " << round;
    ASSERT_TRUE(!patched || buffer.mayHold(base + from, width));
    if (random() % 500 != 0) continue;
    ASSERT_TRUE(std::equal(open.begin(), open.end(), bytes)) << "nothing is public before";
    buffer.publish(memory);
    ASSERT_TRUE(buffer.empty());
    ASSERT_TRUE(std::equal(seen.begin(), seen.end(), bytes));
    open = seen;
  }
}

TEST(StoreBuffer, HoldsNothingAtFirstAndAfterPublication) {
  GlobalMemory memory({64, u64{64} << 20, false});
  const GlobalAddress base = memory.allocate(256, AllocationKind::device).value();
  StoreBuffer buffer;
  EXPECT_FALSE(buffer.mayHold(base, 4));
  const u32 value = 5;
  buffer.store(base, sizeof value, &value);
  EXPECT_TRUE(buffer.mayHold(base, 4));
  u32 loaded = 0;
  EXPECT_FALSE(buffer.patch(base + 4, 4, &loaded)) << "other bytes of the same piece";
  buffer.publish(memory);
  EXPECT_FALSE(buffer.mayHold(base, 4));
}

TEST(DeferredAtomics, TouchTheirPlacesUntilTheyAreRemoved) {
  DeferredAtomics atomics;
  LaneAddresses addresses;
  for (u32 lane = 0; lane < kMaxWarpSize; ++lane) addresses.lane[lane] = 0x10000 + u64{lane} * 4096;
  EXPECT_FALSE(atomics.mayTouch(addresses, ~LaneMask{}, 4));
  const u32 place = atomics.add();
  atomics[place].mask = LaneMask(0b1010);
  atomics[place].addresses = addresses;
  atomics.note(place);
  const u32 twin = atomics.add();
  EXPECT_NE(place, twin);
  atomics[twin].mask = LaneMask(0b0010);
  atomics[twin].addresses = addresses;
  atomics.note(twin);
  EXPECT_TRUE(atomics.mayTouch(addresses, LaneMask(0b0010), 4));
  EXPECT_TRUE(atomics.mayTouch(addresses, LaneMask(0b1000), 4));
  EXPECT_FALSE(atomics.mayTouch(addresses, LaneMask(0b0101), 4));
  // The last byte may be the one that is touched.
  LaneAddresses before = addresses;
  before.lane[1] -= 8;
  EXPECT_FALSE(atomics.mayTouch(before, LaneMask(0b0010), 8));
  EXPECT_TRUE(atomics.mayTouch(before, LaneMask(0b0010), 16));
  atomics.remove(place);
  EXPECT_TRUE(atomics.mayTouch(addresses, LaneMask(0b0010), 4)) << "the twin is still to come";
  EXPECT_FALSE(atomics.mayTouch(addresses, LaneMask(0b1000), 4));
  atomics.remove(twin);
  EXPECT_FALSE(atomics.mayTouch(addresses, ~LaneMask{}, 4));
}

}  // namespace
}  // namespace warpwright::exec
