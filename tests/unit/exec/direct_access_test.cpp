// Direct accesses against one lane after the other.
#include "exec/direct_access.hpp"

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <vector>

namespace warpwright::exec {
namespace {

constexpr u32 kLanes = 32;
constexpr u64 kBegin = 0x1'0000'0000 - 256;  // so that addresses carry into the high word
constexpr u32 kWords = 256;

class DirectAccess : public ::testing::Test {
 protected:
  void SetUp() override {
    if (bestHostLevel() != HostLevel::avx512) GTEST_SKIP() << "direct accesses need AVX-512";
    for (u32 i = 0; i < kWords; ++i) memory_[i] = 1000 + i;
  }

  void setAddresses(const std::function<u64(u32)>& address) {
    for (u32 l = 0; l < kLanes; ++l) {
      low_[l] = static_cast<u32>(address(l));
      high_[l] = static_cast<u32>(address(l) >> 32);
    }
  }
  Reach reach() const { return {kBegin, kWords * 4, reinterpret_cast<u64>(memory_.data()) - kBegin}; }
  bool load(u64 offset = 0) {
    return directLoad(isa::DataType::f32, 1, kLanes, HostLevel::avx512)({low_, high_, offset, false}, reach(), plane_);
  }
  bool store() { return directStore(isa::DataType::u32, kLanes, HostLevel::avx512)({low_, high_, 0, false}, reach(), plane_); }

  std::vector<u32> memory_ = std::vector<u32>(kWords);
  alignas(64) u32 low_[kLanes], high_[kLanes];
  alignas(64) u32 plane_[kLanes] = {};
};

// Word numbers by lane: neighbours, one word, two rows, a broadcast per half, any.
const std::function<u32(u32)> kPatterns[] = {
    [](u32 l) { return l + 3; },      [](u32 l) { return l + 64; },
    [](u32) { return 200u; },         [](u32 l) { return l % 16 + l / 16 * 100; },
    [](u32 l) { return l / 16 * 7; }, [](u32 l) { return l * 37 % kWords; },
};

TEST_F(DirectAccess, LoadsEveryPattern) {
  for (const auto& word : kPatterns) {
    setAddresses([&](u32 l) { return kBegin + 4 * word(l) - 8; });
    // Neighbours whose low words carry are left to the general way.
    if (!load(8)) continue;
    for (u32 l = 0; l < kLanes; ++l) EXPECT_EQ(plane_[l], 1000 + word(l)) << "lane " << l;
  }
  setAddresses([](u32 l) { return kBegin + 256 + 4 * l; });
  EXPECT_TRUE(load());
}

TEST_F(DirectAccess, LoadsVectorsThatHalvesOfTheWarpHaveInCommon) {
  const std::vector<u32> before = memory_;
  for (const u32 elements : {2u, 4u}) {
    alignas(64) u32 planes[4 * kLanes] = {};
    const auto loadVector = [&](const std::function<u64(u32)>& address) {
      setAddresses(address);
      return directLoad(isa::DataType::u32, elements, kLanes, HostLevel::avx512)({low_, high_, 0, false}, reach(), planes);
    };
    EXPECT_TRUE(loadVector([](u32 l) { return kBegin + 64 + l / 16 * 128; }));
    for (u32 e = 0; e < elements; ++e)
      for (u32 l = 0; l < kLanes; ++l) EXPECT_EQ(planes[e * kLanes + l], 1016 + l / 16 * 32 + e) << "element " << e << ", lane " << l;
    EXPECT_TRUE(loadVector([&](u32) { return kBegin + 4 * (kWords - elements); })) << "the last ones";
    EXPECT_FALSE(loadVector([&](u32) { return kBegin + 4 * (kWords - elements) + 4; })) << "misaligned";
    EXPECT_FALSE(loadVector([&](u32) { return kBegin + 4 * kWords; })) << "out of reach";
    EXPECT_FALSE(loadVector([&](u32 l) { return kBegin + 4 * elements * l; })) << "each lane its own";
  }
  EXPECT_EQ(memory_, before);
}

TEST_F(DirectAccess, HighestLaneWinsAStore) {
  for (u32 l = 0; l < kLanes; ++l) plane_[l] = l;
  for (const auto& word : kPatterns) {
    std::vector<u32> expected = memory_;
    for (u32 l = 0; l < kLanes; ++l) expected[word(l)] = l;
    setAddresses([&](u32 l) { return kBegin + 4 * word(l); });
    if (store()) {
      EXPECT_EQ(memory_, expected);
    }
  }
}

TEST_F(DirectAccess, RefusesWhatIsOutOfReachOrMisaligned) {
  const std::vector<u32> before = memory_;
  for (u32 bad = 0; bad < kLanes; ++bad) {
    for (const u64 address : {kBegin - 4, kBegin + kWords * 4, kBegin + 258, u64{256}}) {
      setAddresses([&](u32 l) { return l == bad ? address : kBegin + 256 + 4 * l; });
      EXPECT_FALSE(load()) << "lane " << bad;
      EXPECT_FALSE(store()) << "lane " << bad;
    }
  }
  setAddresses([](u32 l) { return kBegin + (kWords - 31) * 4 + 4 * l; });
  EXPECT_FALSE(load());
  EXPECT_FALSE(store());
  EXPECT_EQ(memory_, before);
}

TEST_F(DirectAccess, ServesOnlyWordsOfWarpsOf32) {
  EXPECT_EQ(directLoad(isa::DataType::u64, 1, 32, HostLevel::avx512), nullptr);
  EXPECT_EQ(directLoad(isa::DataType::u32, 1, 64, HostLevel::avx512), nullptr);
  EXPECT_EQ(directStore(isa::DataType::u32, 32, HostLevel::avx2), nullptr);
}

}  // namespace
}  // namespace warpwright::exec
