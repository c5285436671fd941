// Latencies of single packets in an empty network, from the closed form in network.hpp.
#include <gtest/gtest.h>

#include "unit/mem/network/traffic.hpp"

namespace warpwright::mem::testing {
namespace {

TEST(NetworkLatency, crossbar) {
  Network network({}, 15, 6, NetworkDirection::toMemory);
  EXPECT_EQ(latencyOf(network, 14, packet(5, 1)), 1 + (1 + 1) + 0u);
  Network other({}, 15, 6, NetworkDirection::toMemory);
  EXPECT_EQ(latencyOf(other, 3, packet(0, 5)), 1 + (1 + 1) + 4u);
}

TEST(NetworkLatency, crossbarWithSlowerParts) {
  for (const u32 router : {0u, 1u, 4u}) {
    for (const u32 channel : {1u, 3u}) {
      config::Network config;
      config.routerLatency = router;
      config.channelLatency = channel;
      Network network(config, 4, 4, NetworkDirection::toMemory);
      EXPECT_EQ(latencyOf(network, 0, packet(3, 2)), 1 + router + channel + 1u) << router << ", " << channel;
    }
  }
}

TEST(NetworkLatency, ofDataInPiecesIsThatOfTheirFlits) {
  Network network({}, 2, 2, NetworkDirection::toMemory);
  Request request = packet(1, 5);
  request.pieces = 2;  // with the header 72 bytes: 3 flits
  EXPECT_EQ(latencyOf(network, 0, request), 1 + (1 + 1) + 2u);
  const NetworkStats& stats = network.statistics({100});
  EXPECT_EQ(stats.bytes, kHeaderBytes + 64);
  EXPECT_EQ(stats.deliveredBytes, kHeaderBytes + 64);
  EXPECT_EQ(stats.ejectedFlits, 3u);
}

TEST(NetworkLatency, arrivesInItsTickAndNotBefore) {
  Network network({}, 2, 2, NetworkDirection::toMemory);
  network.accept(0, packet(1, 2), {5});
  for (u64 now = 5; now < 9; ++now) network.tick({now});
  EXPECT_EQ(network.peek(1), nullptr);
  network.tick({9});
  EXPECT_NE(network.peek(1), nullptr);
  EXPECT_EQ(network.peek(0), nullptr);
}

// Every pair of lines has a way, and each way crosses one router of each of the five stages.
TEST(NetworkLatency, butterflyReachesEveryOutputFromEveryInput) {
  const config::Network config = butterfly(2, 5);
  for (u32 input = 0; input < 32; ++input) {
    for (u32 output = 0; output < 32; ++output) {
      Network network(config, 32, 32, NetworkDirection::toMemory);
      ASSERT_EQ(latencyOf(network, input, packet(output, 3)), 1 + 5 * (1 + 1) + 2u) << input << " to " << output;
    }
  }
}

TEST(NetworkLatency, butterflyOfHigherRadixWithUnusedLines) {
  const config::Network config = butterfly(3, 3);
  for (u32 input = 0; input < 20; ++input) {
    for (u32 output = 0; output < 7; ++output) {
      Network network(config, 20, 7, NetworkDirection::toMemory);
      ASSERT_EQ(latencyOf(network, input, packet(output)), 1 + 3 * 2u) << input << " to " << output;
    }
  }
}

TEST(NetworkLatency, responsesGoToTheirSm) {
  Network network({}, 6, 15, NetworkDirection::toSm);
  Request response = packet(0);
  response.isResponse = true;
  response.origin.sm = 11;
  // 8 B header and a sector: two flits.
  EXPECT_EQ(latencyOf(network, 2, response), 1 + 2 + 1u);
}

TEST(NetworkLatency, isTheSameWhenAnotherPacketArrivesInTheTickOfAcceptance) {
  Network network({}, 2, 2, NetworkDirection::toMemory);
  network.accept(0, packet(1), {0});
  std::vector<u64> times;
  for (u64 now = 0; now < 20; ++now) {
    if (now == 3) network.accept(1, packet(0), {now});
    network.tick({now});
    for (u32 output = 0; output < 2; ++output) {
      for (; network.peek(output) != nullptr; network.take(output)) times.push_back(now);
    }
  }
  EXPECT_EQ(times, (std::vector<u64>{3, 6}));
}

TEST(NetworkLatency, waitsForThePacketInFrontOfIt) {
  Network network({}, 2, 2, NetworkDirection::toMemory);
  network.accept(0, packet(1, 4, 1), {0});
  network.accept(1, packet(1, 4, 2), {0});
  std::vector<u64> times;
  for (u64 now = 0; now < 30; ++now) {
    network.tick({now});
    for (; network.peek(1) != nullptr; network.take(1)) times.push_back(now);
  }
  EXPECT_EQ(times, (std::vector<u64>{6, 10}));
  // The second packet's head is ready at the router in tick 2 and leaves when the first one's four flits have left, in tick 6.
  EXPECT_EQ(network.statistics({30}).arbitrationStalls, 4u);
  EXPECT_EQ(network.statistics({30}).creditStalls, 0u);
  EXPECT_EQ(network.statistics({30}).latency.count(), 2u);
  EXPECT_EQ(network.statistics({30}).latency.sum(), 6u + 10u);
  EXPECT_EQ(network.statistics({30}).mostPackets.value, 2u);
}

// One buffer in the router, which is free again a tick after its flit has left: a flit waits in every other tick.
TEST(NetworkLatency, aFullRouterHoldsFlitsAtTheInput) {
  config::Network config;
  config.buffersPerChannel = 1;
  Network network(config, 1, 1, NetworkDirection::toMemory);
  network.accept(0, packet(0, 4, 1), {0});
  u64 arrived = 0;
  for (u64 now = 0; now < 30 && arrived == 0; ++now) {
    network.tick({now});
    if (network.peek(0) != nullptr) arrived = now;
  }
  const u64 withoutWaiting = 1 + 2 + 3;
  EXPECT_GT(arrived, withoutWaiting);
  EXPECT_EQ(network.statistics({30}).injectionStalls, arrived - withoutWaiting) << "all that it took longer";
}

}  // namespace
}  // namespace warpwright::mem::testing
