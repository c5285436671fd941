#include "exec/memory.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

namespace warpwright::exec {
namespace {

constexpr u64 kMiB = u64{1} << 20;

TEST(GlobalMemory, AllocationsAreAlignedAndKeptApart) {
  GlobalMemory memory({64, 64 * kMiB, false});
  const GlobalAddress a = *memory.allocate(100, AllocationKind::device);
  const GlobalAddress b = *memory.allocate(1, AllocationKind::device);
  const GlobalAddress c = *memory.allocate(8, AllocationKind::device, "big", 4096);
  EXPECT_EQ(a % 256, 0u);
  EXPECT_EQ(c % 4096, 0u);
  EXPECT_GE(b, a + 100 + 256);
  EXPECT_GE(c, b + 1 + 256);
  EXPECT_EQ(memory.used(), 109u);
}

TEST(GlobalMemory, FindsOnlyWholeRanges) {
  GlobalMemory memory({64, 64 * kMiB, false});
  const GlobalAddress a = *memory.allocate(100, AllocationKind::device, "a");
  ASSERT_NE(memory.find(a + 96, 4), nullptr);
  EXPECT_EQ(memory.find(a + 96, 4)->label, "a");
  EXPECT_EQ(memory.find(a + 97, 4), nullptr);
  EXPECT_EQ(memory.find(a - 1, 1), nullptr);
  EXPECT_EQ(memory.find(GlobalAddress(0), 4), nullptr);
}

TEST(GlobalMemory, FreedMemoryIsRememberedForMessages) {
  GlobalMemory memory({64, 64 * kMiB, false});
  const GlobalAddress a = *memory.allocate(100, AllocationKind::device, "gone");
  const u64 before = memory.generation();
  EXPECT_FALSE(memory.free(a + 4));
  EXPECT_TRUE(memory.free(a));
  EXPECT_FALSE(memory.free(a));
  EXPECT_NE(memory.generation(), before);
  EXPECT_EQ(memory.find(a, 4), nullptr);
  ASSERT_NE(memory.nearest(a), nullptr);
  EXPECT_TRUE(memory.nearest(a)->freed);
  EXPECT_EQ(memory.nearest(a)->label, "gone");
  // The place is not used again at once.
  EXPECT_NE(*memory.allocate(100, AllocationKind::device), a);
}

TEST(GlobalMemory, CapacityIsRespectedAndFreedMemoryReturns) {
  GlobalMemory memory({64, kMiB, false});
  const auto big = memory.allocate(kMiB, AllocationKind::device);
  ASSERT_TRUE(big);
  EXPECT_FALSE(memory.allocate(1, AllocationKind::device));
  memory.free(*big);
  for (int i = 0; i < 1000; ++i) {
    const auto again = memory.allocate(kMiB / 2, AllocationKind::device);
    ASSERT_TRUE(again) << i;
    memory.free(*again);
  }
}

TEST(GlobalMemory, NearestPrefersTheCloserNeighbour) {
  GlobalMemory memory({64, 64 * kMiB, false});
  const GlobalAddress a = *memory.allocate(256, AllocationKind::device, "a");
  const GlobalAddress b = *memory.allocate(256, AllocationKind::device, "b");
  EXPECT_EQ(memory.nearest(a + 256 + 12)->label, "a");
  EXPECT_EQ(memory.nearest(b - 12)->label, "b");
}

TEST(GlobalMemory, HostMemoryIsRegisteredAtItsOwnAddress) {
  GlobalMemory memory({64, 64 * kMiB, false});
  std::vector<int> host(64);
  const GlobalAddress address = GlobalMemory::addressOf(host.data());
  EXPECT_TRUE(memory.registerHost(host.data(), 256));
  EXPECT_FALSE(memory.registerHost(host.data() + 1, 4));
  EXPECT_NE(memory.find(address + 252, 4), nullptr);
  EXPECT_FALSE(memory.free(address));
  EXPECT_EQ(memory.used(), 0u);
  EXPECT_TRUE(memory.unregisterHost(host.data()));
  EXPECT_FALSE(memory.unregisterHost(host.data()));
  EXPECT_EQ(memory.find(address, 4), nullptr);
}

TEST(GlobalMemory, NarrowAddressesFitIn32Bits) {
  GlobalMemory memory({32, 64 * kMiB, false});
  const GlobalAddress a = *memory.allocate(kMiB, AllocationKind::device);
  EXPECT_GE(a, u64{0x1000'0000});
  EXPECT_LT(a + kMiB, u64{1} << 32);
  std::memset(GlobalMemory::hostPointer(a), 1, kMiB);
}

TEST(GlobalMemory, AddressesRepeatFromRunToRun) {
  const auto first = [] { return *GlobalMemory({64, kMiB, false}).allocate(4, AllocationKind::device); };
  EXPECT_EQ(first(), first());
}

TEST(GlobalMemory, InitialisationIsTrackedByByte) {
  GlobalMemory memory({64, kMiB, true});
  const GlobalAddress a = *memory.allocate(16, AllocationKind::device);
  EXPECT_FALSE(memory.isInitialised(a, 1));
  memory.markInitialised(a + 4, 8);
  EXPECT_TRUE(memory.isInitialised(a + 4, 8));
  EXPECT_FALSE(memory.isInitialised(a + 4, 9));
  EXPECT_FALSE(memory.isInitialised(a + 3, 2));
}

TEST(GlobalMemory, ResetFreesEverything) {
  GlobalMemory memory({64, kMiB, false});
  const GlobalAddress a = *memory.allocate(16, AllocationKind::device);
  memory.reset();
  EXPECT_EQ(memory.used(), 0u);
  EXPECT_TRUE(memory.live().empty());
  EXPECT_EQ(*memory.allocate(16, AllocationKind::device), a);
}

}  // namespace
}  // namespace warpwright::exec
