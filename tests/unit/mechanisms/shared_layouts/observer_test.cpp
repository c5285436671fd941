#include "mechanisms/shared_layouts/observer.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace warpwright::mechanisms::shared_layouts {
namespace {

class SharedLayouts : public ::testing::Test {
 protected:
  void access(u32 pc, bool isStore, u64 block = 0, u64 from = 0, isa::Space space = isa::Space::shared) {
    std::array<u64, kMaxWarpSize> addresses{};
    for (u32 lane = 0; lane < 4; ++lane) addresses[lane] = from + 8 * lane;
    exec::MemoryEvent event;
    event.warp.block = block;
    event.pc = Pc{pc};
    event.space = space;
    event.isStore = isStore;
    event.isLoad = !isStore;
    event.mask = LaneMask::first(4);
    event.bytesPerLane = 8;
    event.addresses = addresses.data();
    observer.memory(event);
  }

  const std::vector<u32> layoutOf{0, 4, 2};  // by pc
  Observer observer{layoutOf};
};

TEST_F(SharedLayouts, WordsOfAnotherLayoutAreCounted) {
  access(1, false);  // nobody has stored
  access(1, true);
  access(1, false);
  EXPECT_EQ(observer.statistics(), (Statistics{3, 0, 0}));
  access(2, false);  // eight words
  access(0, false);
  access(7, false);  // beyond the marks: none
  EXPECT_EQ(observer.statistics(), (Statistics{4, 2, 24}));
  access(2, true, 0, 16);  // words 4 to 11
  access(2, false);
  EXPECT_EQ(observer.statistics(), (Statistics{6, 2, 28}));
}

TEST_F(SharedLayouts, BlocksHaveMemoriesOfTheirOwn) {
  access(1, true, 0);
  access(2, false, 1);
  EXPECT_EQ(observer.statistics().mismatches, 0u);
  observer.blockEnds(0);
  access(2, false, 0);
  EXPECT_EQ(observer.statistics().mismatches, 0u) << "another block of that number";
  access(1, true, 0, 0, isa::Space::global);
  EXPECT_EQ(observer.statistics().named, 3u) << "global memory has no layouts";
}

}  // namespace
}  // namespace warpwright::mechanisms::shared_layouts
