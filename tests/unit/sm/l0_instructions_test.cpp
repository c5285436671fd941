// The instruction cache of a sub-core and its stream buffer, line by line.
#include "sm/l0_instructions.hpp"

#include <gtest/gtest.h>

namespace warpwright::sm {
namespace {

config::Machine withL0(u32 lines, u32 ahead) {
  config::Machine machine;
  machine.l1i.lineBytes = machine.l1i.sectorBytes = 128;
  machine.sm.l0Bytes = lines * 128;
  machine.sm.l0PrefetchLines = ahead;
  return machine;
}

GlobalAddress line(u64 number) { return GlobalAddress(number * 128); }

class L0 {
 public:
  L0(u32 lines, u32 ahead) : machine_(withL0(lines, ahead)), cache_(machine_) {}

  bool finds(u64 number) { return cache_.finds(line(number) + 16); }
  bool await(u64 number, u32 fetch) { return cache_.await(line(number) + 16, fetch, {}); }
  // What it asks for, in words of line numbers: "4" for a miss, "5+" for a line ahead.
  std::string asks() {
    std::string text;
    while (cache_.wantsLine()) {
      asked_.push_back(cache_.takeWanted({}));
      text += (text.empty() ? "" : " ") + std::to_string(asked_.back().line / 128) + (asked_.back().isAhead ? "+" : "");
    }
    return text;
  }
  // The oldest of these lines comes; gives who waited for it.
  std::vector<u32> comes() {
    std::vector<u32> fetches;
    const L0Instructions::Wanted wanted = asked_.front();
    asked_.erase(asked_.begin());
    cache_.arrived(wanted, [&](u32 fetch) { fetches.push_back(fetch); });
    return fetches;
  }
  u64 misses() const { return cache_.misses(); }

 private:
  config::Machine machine_;
  L0Instructions cache_;
  std::vector<L0Instructions::Wanted> asked_;
};

using Fetches = std::vector<u32>;

TEST(L0Instructions, AsksOnceForALineThatSeveralAwait) {
  L0 cache(4, 0);
  EXPECT_FALSE(cache.finds(7));
  EXPECT_FALSE(cache.await(7, 1));
  EXPECT_FALSE(cache.await(7, 2));
  EXPECT_EQ(cache.asks(), "7");
  EXPECT_EQ(cache.comes(), (Fetches{1, 2}));
  EXPECT_TRUE(cache.finds(7));
  EXPECT_EQ(cache.misses(), 2u);
  EXPECT_EQ(cache.asks(), "");
}

TEST(L0Instructions, TheLineThatWasNotUsedForLongestMakesRoom) {
  L0 cache(2, 0);
  for (const u64 number : {1, 2}) {
    cache.await(number, 0);
    cache.asks();
    cache.comes();
  }
  EXPECT_TRUE(cache.finds(1));
  cache.await(3, 0);
  cache.asks();
  cache.comes();
  EXPECT_TRUE(cache.finds(1));
  EXPECT_FALSE(cache.finds(2));
  EXPECT_TRUE(cache.finds(3));
}

TEST(L0Instructions, AMissFetchesLinesAhead) {
  L0 cache(4, 3);
  EXPECT_FALSE(cache.await(10, 1));
  EXPECT_EQ(cache.asks(), "10 11+ 12+ 13+");
  EXPECT_EQ(cache.comes(), (Fetches{1}));
  EXPECT_EQ(cache.comes(), Fetches{});  // 11 is in the stream
  EXPECT_FALSE(cache.finds(11));
  EXPECT_TRUE(cache.await(11, 2)) << "and comes from there";
  EXPECT_TRUE(cache.finds(11));
  EXPECT_EQ(cache.asks(), "14+");
  EXPECT_FALSE(cache.await(12, 3)) << "it is on its way";
  EXPECT_EQ(cache.asks(), "15+");
  EXPECT_EQ(cache.comes(), (Fetches{3}));
  EXPECT_TRUE(cache.finds(12));
}

TEST(L0Instructions, AMissElsewhereBeginsTheStreamAnew) {
  L0 cache(4, 2);
  cache.await(10, 1);
  EXPECT_EQ(cache.asks(), "10 11+ 12+");
  cache.await(40, 2);
  EXPECT_EQ(cache.asks(), "40 41+ 42+");
}

}  // namespace
}  // namespace warpwright::sm
