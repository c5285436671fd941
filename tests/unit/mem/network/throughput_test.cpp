// Throughput of saturated networks.
#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "unit/mem/network/traffic.hpp"

namespace warpwright::mem::testing {
namespace {

constexpr u64 kTicks = 4000;
constexpr u64 kWarmUp = 40;  // more than the latency of an empty network

TEST(NetworkThroughput, aLinkCarriesOneFlitATick) {
  for (const u32 flits : {1u, 5u}) {
    Network network({}, 1, 1, NetworkDirection::toMemory);
    const u64 arrived = saturate(network, kTicks, [&](u32) { return packet(0, flits); })[0];
    EXPECT_LE(arrived * flits, kTicks);
    EXPECT_GE(arrived * flits, kTicks - kWarmUp);
  }
}

TEST(NetworkThroughput, aLinkToAnSmCarriesAsManyAsItsKeySays) {
  for (const u32 flits : {1u, 2u}) {
    config::Network config;
    config.internalSpeedup = 2;
    config.ejectionFlits = flits;
    for (const auto direction : {NetworkDirection::toMemory, NetworkDirection::toSm}) {
      Network network(config, 4, 1, direction);
      const u64 arrived = saturate(network, kTicks, [&](u32) { return packet(0); })[0];
      const u64 rate = direction == NetworkDirection::toSm ? flits : 1;
      EXPECT_LE(arrived, rate * kTicks);
      EXPECT_GE(arrived, rate * (kTicks - kWarmUp));
      u64 now = kTicks;
      for (; !network.idle(); ++now) {
        network.tick({now});
        while (network.peek(0) != nullptr) network.take(0);
      }
      stats::Conservation laws;
      network.check({now}, laws);
      EXPECT_TRUE(laws.violations().empty());
    }
  }
}

TEST(NetworkThroughput, creditsBoundAVirtualChannel) {
  for (const u32 buffers : {1u, 2u, 3u, 4u, 7u, 8u}) {
    for (const u32 router : {1u, 3u}) {
      config::Network config = butterfly(2, 3);
      config.buffersPerChannel = buffers;
      config.routerLatency = router;
      config.channelLatency = 2;
      Network network(config, 1, 1, NetworkDirection::toMemory);
      const u64 arrived = saturate(network, kTicks, [&](u32) { return packet(0); })[0];
      const u64 loop = router + 2 * config.channelLatency;
      EXPECT_NEAR(static_cast<double>(arrived), static_cast<double>(kTicks) * std::min<u64>(buffers, loop) / loop, kWarmUp)
          << buffers << " buffers, router latency " << router;
    }
  }
}

// The next packet's head goes when the credit of this one's tail is back. The inputs of the network hold it up no longer than the links.
TEST(NetworkThroughput, aPacketWaitsForTheTailOfTheOneBefore) {
  for (const u32 flits : {1u, 3u, 8u}) {
    for (const u32 router : {1u, 3u}) {
      config::Network config = butterfly(2, 3);
      config.waitForTailCredit = true;
      config.routerLatency = router;
      config.channelLatency = 2;
      Network network(config, 1, 1, NetworkDirection::toMemory);
      const u64 arrived = saturate(network, kTicks, [&](u32) { return packet(0, flits); })[0];
      const u64 ticksEach = flits - 1 + router + 2 * config.channelLatency;
      EXPECT_NEAR(static_cast<double>(arrived), static_cast<double>(kTicks) / ticksEach, kWarmUp)
          << flits << " flits, router latency " << router;
      config.virtualChannels = 8;
      Network wide(config, 1, 1, NetworkDirection::toMemory);
      const u64 many = saturate(wide, kTicks, [&](u32) { return packet(0, flits); })[0];
      EXPECT_NEAR(static_cast<double>(many), static_cast<double>(kTicks) / flits, kWarmUp) << "channels take turns";
    }
  }
}

TEST(NetworkThroughput, hotSpotGetsItsLinkInFullAndSharesItFairly) {
  for (const auto topology : {config::Topology::crossbar, config::Topology::butterfly}) {
    config::Network config = butterfly(2, 4);
    config.topology = topology;
    Network network(config, 16, 6, NetworkDirection::toMemory);
    std::vector<u64> received(16);
    for (u64 now = 0; now < kTicks; ++now) {
      for (u32 input = 0; input < 16; ++input) {
        while (network.canAccept(input, {})) network.accept(input, packet(4, 5, input), {now});
      }
      network.tick({now});
      for (; network.peek(4) != nullptr; network.take(4)) ++received[network.peek(4)->id];
    }
    const u64 total = std::accumulate(received.begin(), received.end(), u64{0});
    EXPECT_NEAR(static_cast<double>(total), kTicks / 5.0, kWarmUp / 5.0);
    for (const u64 share : received) EXPECT_NEAR(static_cast<double>(share), static_cast<double>(total) / 16, 2);
  }
}

// Flits that each input gets rid of in a tick under uniformly random traffic of single flits.
double saturation(const config::Network& config, u32 terminals) {
  Network network(config, terminals, terminals, NetworkDirection::toMemory);
  std::mt19937 random(1);
  const auto arrived = saturate(network, kTicks, [&](u32) { return packet(static_cast<u32>(random() % terminals)); });
  return static_cast<double>(std::accumulate(arrived.begin(), arrived.end(), u64{0})) / (kTicks * terminals);
}

// Karol, Hluchyj, Morgan, "Input versus output queueing on a space-division packet switch", IEEE Transactions on Communications 35 (1987):
// a switch with first-in first-out inputs saturates at 0.75, 0.655 and 0.618 for 2, 4 and 8 inputs, and at 2 - sqrt(2) = 0.586 as it grows.
TEST(NetworkThroughput, oneRouterSaturatesAsInputQueuedSwitchesDo) {
  EXPECT_NEAR(saturation({}, 2), 0.75, 0.015);
  EXPECT_NEAR(saturation(butterfly(2, 1), 2), 0.75, 0.015);
  EXPECT_NEAR(saturation(butterfly(4, 1), 4), 0.655, 0.015);
  EXPECT_NEAR(saturation({}, 8), 0.618, 0.015);
  EXPECT_NEAR(saturation({}, 64), 0.586, 0.015);
}

// Packets that wait for different outputs no longer stand in one line.
TEST(NetworkThroughput, virtualChannelsRaiseSaturation) {
  for (config::Network config : {config::Network{}, butterfly(2, 5)}) {
    const double one = saturation(config, 32);
    config.virtualChannels = 2;
    const double two = saturation(config, 32);
    config.virtualChannels = 4;
    EXPECT_GT(two, one + 0.03);
    EXPECT_GT(saturation(config, 32), two + 0.03);
  }
}

// A router that moves two flits while a link takes one queues them at its outputs, where none stands before another's.
TEST(NetworkThroughput, internalSpeedupRaisesSaturation) {
  config::Network config;
  config.internalSpeedup = 2;
  EXPECT_GT(saturation(config, 8), 0.8);
  EXPECT_GT(saturation(config, 64), 0.8);
  Network one(config, 1, 1, NetworkDirection::toMemory);
  const u64 arrived = saturate(one, kTicks, [](u32) { return packet(0, 5); })[0];
  EXPECT_LE(arrived * 5, kTicks) << "a link still takes a flit a tick";
}

TEST(NetworkThroughput, stagesLowerSaturation) {
  const double one = saturation(butterfly(2, 1), 2), three = saturation(butterfly(2, 3), 8), five = saturation(butterfly(2, 5), 32);
  EXPECT_GT(one, three + 0.03);
  EXPECT_GT(three, five + 0.01);
}

TEST(NetworkThroughput, oldestFirstServesInOrderOfAcceptance) {
  config::Network config;
  config.arbitration = "oldest";
  Network network(config, 8, 1, NetworkDirection::toMemory);
  for (u32 i = 0; i < 8; ++i) {
    network.tick({i});
    network.accept((i * 5) % 8, packet(0, 5, i), {i});
  }
  std::vector<u32> order;
  for (u64 now = 8; now < 100; ++now) {
    network.tick({now});
    for (; network.peek(0) != nullptr; network.take(0)) order.push_back(network.peek(0)->id);
  }
  EXPECT_EQ(order, (std::vector<u32>{0, 1, 2, 3, 4, 5, 6, 7}));
}

TEST(NetworkThroughput, aFullOutputHoldsItsPacketsAndCountsStalls) {
  config::Network config;
  config.ejectionQueue = 2;
  Network network(config, 1, 1, NetworkDirection::toMemory);
  for (u32 i = 0; i < 4; ++i) network.accept(0, packet(0, 1, i), {0});
  for (u64 now = 0; now < 100; ++now) network.tick({now});
  // Two wait at the output. The third is in front of its buffer from tick 4 on.
  EXPECT_EQ(network.statistics({100}).creditStalls, 96u);
  EXPECT_EQ(network.take(0).id, 0u);
  EXPECT_EQ(network.take(0).id, 1u);
  EXPECT_EQ(network.peek(0), nullptr);
  for (u64 now = 100; now < 110; ++now) network.tick({now});
  EXPECT_EQ(network.take(0).id, 2u);
  EXPECT_EQ(network.take(0).id, 3u);
  EXPECT_TRUE(network.idle());
}

}  // namespace
}  // namespace warpwright::mem::testing
