// Which line makes room in an affine vector cache.
#include "mechanisms/avc/affine_vector_cache.hpp"

#include <gtest/gtest.h>

#include "unit/mechanisms/avc/words.hpp"

namespace warpwright::mechanisms::avc {
namespace {

constexpr GlobalAddress kLines[] = {GlobalAddress(0), GlobalAddress(0x10000), GlobalAddress(0x20000)};

VectorEncoding uniform() {
  u32 values[kWordsPerVector] = {};
  return VectorEncoder(3, 1).encode(values, kAll);
}

// Two lines find room; the third takes the place of the one that was not used again.
class LeastRecent : public ::testing::Test {
 protected:
  LeastRecent() : cache({.bytes = 2 * kPlaceBytes, .ways = 2, .vectorsPerLine = 1, .replacement = "lru"}) {
    write(0);
    write(1);
  }
  void write(int line) { cache.write(kLines[line], kAll, uniform(), evicted); }
  u64 leaving() {
    write(2);
    return evicted.empty() ? ~u64{0} : evicted.front().address;
  }

  AffineVectorCache cache;
  Evictions evicted;
};

TEST_F(LeastRecent, IsTheOlderOne) { EXPECT_EQ(leaving(), kLines[0]); }

TEST_F(LeastRecent, AReadIsAUse) {
  EXPECT_EQ(cache.read(kLines[0], kAll, false).source, Source::here);
  EXPECT_EQ(leaving(), kLines[1]);
}

TEST_F(LeastRecent, AWriteIsAUse) {
  write(0);
  EXPECT_EQ(leaving(), kLines[1]);
}

TEST_F(LeastRecent, AFillIsAUse) {
  cache.drop(kLines[0], 1);
  EXPECT_TRUE(cache.fill(kLines[0], 1, uniform(), evicted));
  EXPECT_EQ(leaving(), kLines[1]);
}

}  // namespace
}  // namespace warpwright::mechanisms::avc
