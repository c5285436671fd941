#include "base/ring_queue.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <random>

namespace warpwright {
namespace {

// Beside a queue of the standard library: full, empty, around the end, copied on the way.
TEST(RingQueue, AgreesWithADequeOnRandomWork) {
  std::mt19937 random(3);
  for (u32 capacity = 1; capacity <= 9; ++capacity) {
    RingQueue<u32> queue(capacity);
    std::deque<u32> expected;
    for (u32 step = 0; step < 4000; ++step) {
      const bool fills = random() % 100 < (step / 500 % 2 == 0 ? 60u : 40u);
      if (fills && !queue.full()) {
        queue.push(step);
        expected.push_back(step);
      } else if (!fills && !queue.empty()) {
        queue.pop();
        expected.pop_front();
      }
      if (step % 97 == 0) queue = RingQueue<u32>(queue);
      ASSERT_EQ(queue.size(), expected.size());
      ASSERT_EQ(queue.space(), capacity - expected.size());
      ASSERT_EQ(queue.empty(), expected.empty());
      for (u32 i = 0; i < queue.size(); ++i) ASSERT_EQ(queue[i], expected[i]) << "capacity " << capacity << ", step " << step;
    }
  }
}

// Whoever holds a reference to an item may push others.
TEST(RingQueue, ItemsStayWhereTheyAre) {
  RingQueue<u64> queue(100);
  queue.push(1);
  const u64* const first = &queue.front();
  for (u64 i = 2; i <= 100; ++i) queue.push(i);
  EXPECT_TRUE(queue.full());
  EXPECT_EQ(&queue.front(), first);
  EXPECT_EQ(*first, 1u);
}

TEST(RingQueue, AnotherCapacityEmptiesIt) {
  RingQueue<u32> queue(2);
  queue.push(1);
  queue.reserve(3);
  EXPECT_TRUE(queue.empty());
  for (u32 i = 0; i < 3; ++i) queue.push(i);
  EXPECT_TRUE(queue.full());
  EXPECT_EQ(queue[2], 2u);
}

}  // namespace
}  // namespace warpwright
