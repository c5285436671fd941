#include "engine/crew.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

namespace warpwright::engine {
namespace {

// Pieces that whoever is there takes, and who took them.
struct Pieces {
  explicit Pieces(std::size_t count) : done(count) {}
  void take() {
    for (std::size_t i = next.fetch_add(1); i < done.size(); i = next.fetch_add(1)) ++done[i];
  }
  std::atomic<std::size_t> next{0};
  std::vector<u32> done;
};

TEST(Crew, AllPiecesOfEveryRoundAreDoneOnce) {
  constexpr u32 kRounds = 2000;
  for (const u32 helpers : {1u, 2u, 7u}) {
    Pieces pieces(13);
    Crew crew(helpers, [&](u32) { pieces.take(); });
    for (u32 round = 1; round <= kRounds; ++round) {
      pieces.next = 0;
      crew.run(round % (helpers + 1));
      ASSERT_EQ(pieces.done, std::vector<u32>(13, round)) << helpers;
    }
  }
}

TEST(Crew, CallsNoMoreHelpersThanAskedFor) {
  std::atomic<u32> highest{0};
  Crew crew(4, [&](u32 thread) { highest = std::max(highest.load(), thread); });
  for (u32 round = 0; round < 100; ++round) crew.run(0);
  EXPECT_EQ(highest, 0u);
}

TEST(Crew, AHelperThatHasBegunIsWaitedFor) {
  using namespace std::chrono_literals;
  std::atomic<bool> begun{false}, done{false};
  Crew crew(1, [&](u32 thread) {
    if (thread == 0) {
      while (!begun) std::this_thread::yield();
      return;
    }
    begun = true;
    std::this_thread::sleep_for(20ms);
    done = true;
  });
  crew.run(1);
  EXPECT_TRUE(done);
}

}  // namespace
}  // namespace warpwright::engine
