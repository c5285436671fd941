#include "mechanisms/memory_classes/observer.hpp"

#include <gtest/gtest.h>

namespace warpwright::mechanisms::memory_classes {
namespace {

class MemoryClasses : public testing::Test {
 protected:
  void access(isa::Space space, bool isStore, u32 bytes, LaneMask mask = 0xffff'ffff, isa::DataType type = isa::DataType::u32) {
    instruction.type = type;
    exec::MemoryEvent event;
    event.instruction = &instruction;
    event.space = space;
    event.isStore = isStore;
    event.isLoad = !isStore;
    event.mask = mask;
    event.bytesPerLane = bytes;
    event.addresses = addresses.data();
    event.values = values.data();
    observer.issue({});
    observer.memory(event);
  }

  isa::Instruction instruction;
  std::array<u64, kMaxWarpSize> addresses{};
  std::array<u32, 4 * 32> values{};
  Observer observer{32};
};

TEST_F(MemoryClasses, StoresAreClassifiedAsTheyHappenLoadsAfterwards) {
  for (u32 lane = 0; lane < 32; ++lane) values[lane] = 5;
  access(isa::Space::local, true, 4);
  EXPECT_EQ(observer.stats().privateWords.stores.uniform, 1u);
  access(isa::Space::local, false, 4);
  for (u32 lane = 0; lane < 32; ++lane) values[lane] = 8 + 4 * lane;  // what is loaded
  EXPECT_EQ(observer.stats().privateWords.loads.all(), 0u);
  observer.issue({});
  EXPECT_EQ(observer.stats().privateWords.loads.affine, 1u);
  EXPECT_EQ(observer.stats().instructions, 3u);
}

TEST_F(MemoryClasses, EachWordOfAVectorLoadIsAVector) {
  for (u32 lane = 0; lane < 32; ++lane) values[32 + lane] = lane * lane;
  access(isa::Space::local, true, 8, 0xffff'ffff, isa::DataType::u64);
  EXPECT_EQ(observer.stats().privateWords.stores.zero, 1u);
  EXPECT_EQ(observer.stats().privateWords.stores.generic, 1u);
}

TEST_F(MemoryClasses, LanesAtDifferentPrivateAddressesAreVectorsOfTheirOwn) {
  for (u32 lane = 0; lane < 32; ++lane) {
    addresses[lane] = lane < 16 ? 0 : 4;
    values[lane] = lane < 16 ? 1 : 2;
  }
  access(isa::Space::local, true, 4);
  EXPECT_EQ(observer.stats().privateWords.stores.uniform, 2u);
}

TEST_F(MemoryClasses, HalfWarpsOfTwoRowsAreAffineInVectorsOf16) {
  for (u32 lane = 0; lane < 32; ++lane) values[lane] = lane % 16 * 4 + lane / 16 * 1000;
  access(isa::Space::local, true, 4);
  EXPECT_EQ(observer.stats().privateWords.stores.generic, 1u);
  EXPECT_EQ(observer.stats().private16.affine, 2u);
}

TEST_F(MemoryClasses, StridesThatAreNoPowerOfTwoAreGenericAndCounted) {
  for (u32 lane = 0; lane < 32; ++lane) values[lane] = 12 * lane;
  access(isa::Space::local, true, 4);
  EXPECT_EQ(observer.stats().privateWords.stores.generic, 1u);
  EXPECT_EQ(observer.stats().privateStrided, 1u);
}

TEST_F(MemoryClasses, GlobalTrafficIsCountedInLines) {
  for (u32 lane = 0; lane < 32; ++lane) addresses[lane] = 64 + 4 * lane;
  access(isa::Space::global, true, 4);
  EXPECT_EQ(observer.stats().globalLines, 2u);
  EXPECT_EQ(observer.stats().globalWords.stores.zero, 1u);
}

TEST_F(MemoryClasses, PartsOfWordsHaveNoClass) {
  access(isa::Space::local, true, 1, 0xffff'ffff, isa::DataType::u8);
  EXPECT_EQ(observer.stats().privateVectors(), 0u);
}

}  // namespace
}  // namespace warpwright::mechanisms::memory_classes
