#include "engine/channel.hpp"

#include <gtest/gtest.h>

namespace warpwright::engine {
namespace {

constexpr Cycle at(u64 cycle) { return {cycle}; }

TEST(Channel, ItemsArriveAfterTheLatency) {
  Channel<int> channel(4, 10);
  channel.send(7, at(3));
  EXPECT_FALSE(channel.ready(at(100))) << "not handed over yet";
  channel.exchange();
  EXPECT_FALSE(channel.ready(at(12)));
  EXPECT_TRUE(channel.ready(at(13)));
  EXPECT_EQ(channel.nextArrival(), at(13));
  EXPECT_EQ(channel.take(at(13)), 7);
  EXPECT_EQ(channel.nextArrival(), kNever);
}

TEST(Channel, IsEmptyWhenAllIsTaken) {
  Channel<int> channel(4, 10);
  EXPECT_TRUE(channel.isEmpty());
  channel.send(7, at(3));
  EXPECT_FALSE(channel.isEmpty());
  channel.exchange();
  EXPECT_FALSE(channel.isEmpty());
  channel.take(at(13));
  EXPECT_TRUE(channel.isEmpty()) << "though the credit is not back";
}

TEST(Channel, ItemsStayInOrder) {
  Channel<int> channel(8, 5);
  for (int i = 0; i < 5; ++i) channel.send(i, at(static_cast<u64>(i)));
  channel.exchange();
  for (int i = 0; i < 5; ++i) EXPECT_EQ(channel.take(at(20)), i);
}

TEST(Channel, CreditsComeBackAfterTheLatency) {
  Channel<int> channel(2, 10);
  channel.send(1, at(0));
  channel.send(2, at(0));
  EXPECT_FALSE(channel.canSend(at(1)));
  channel.exchange();
  channel.take(at(15));
  EXPECT_FALSE(channel.canSend(at(1000))) << "the credit is not handed over yet";
  channel.exchange();
  EXPECT_EQ(channel.nextCredit(), at(25));
  EXPECT_FALSE(channel.canSend(at(24)));
  EXPECT_TRUE(channel.canSend(at(25)));
  channel.send(3, at(25));
  EXPECT_FALSE(channel.canSend(at(26)));
}

TEST(Channel, TheEndsOfAQuantumDoNotSeeEachOther) {
  Channel<int> channel(4, 10);
  channel.turnSender(0);
  channel.turnReceiver(0);
  channel.send(1, at(0));
  EXPECT_EQ(channel.firstSent(), at(10));
  EXPECT_EQ(channel.firstReturned(), kNever);
  channel.turnSender(1);
  channel.send(2, at(5));
  EXPECT_EQ(channel.firstSent(), at(15));
  channel.turnReceiver(1);
  EXPECT_EQ(channel.take(at(10)), 1);
  EXPECT_FALSE(channel.ready(at(1000))) << "the second was sent in the quantum at hand";
  EXPECT_EQ(channel.firstReturned(), at(20));
  channel.turnReceiver(0);
  EXPECT_EQ(channel.nextArrival(), at(15));
  EXPECT_EQ(channel.nextCredit(), kNever);
  channel.turnSender(0);
  EXPECT_EQ(channel.nextCredit(), at(20));
}

TEST(Channel, TellsWhenItIsOutOfCredits) {
  Channel<int> channel(1, 10);
  EXPECT_FALSE(channel.isOutOfCredits());
  channel.send(1, at(0));
  EXPECT_TRUE(channel.isOutOfCredits());
}

TEST(Channel, IsIdleWhenEveryCreditIsBack) {
  Channel<int> channel(2, 4);
  EXPECT_TRUE(channel.idle());
  channel.send(1, at(0));
  channel.exchange();
  channel.take(at(4));
  channel.exchange();
  EXPECT_FALSE(channel.idle());
  EXPECT_TRUE(channel.canSend(at(8)));
  EXPECT_TRUE(channel.idle());
}

}  // namespace
}  // namespace warpwright::engine
