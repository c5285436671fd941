// Exact times and rates of a partition.
#include <gtest/gtest.h>

#include <functional>
#include <optional>

#include "base/error.hpp"
#include "mem/partition/partition.hpp"

namespace warpwright::mem {
namespace {

Request access(AccessType type, u64 address, u32 id = 0, u16 operations = 0) {
  Request request;
  request.address = GlobalAddress(address);
  request.lineBytes = 128;
  request.sectors = 1;
  request.type = type;
  request.id = id;
  request.operations = operations;
  return request;
}

config::Cache timedCache(u64 bytes) {
  config::Cache cache;
  cache.bytes = bytes;
  cache.sectorBytes = 32;
  cache.globalWrites = config::WritePolicy::writeBack;
  cache.hitLatency = 10;
  cache.missLatency = 3;
  return cache;
}

class PartitionTiming : public ::testing::Test {
 protected:
  void build(u64 l2Bytes, u64 lastLevelBytes = 0) {
    map_.emplace(1, config.slices, config.networkPorts, 256, "false");
    config::Cache l2 = timedCache(l2Bytes);
    l2.inputQueue = l2InputQueue;
    partition_.emplace(config, l2, timedCache(lastLevelBytes), *map_);
  }

  void send(const Request& request) {
    ASSERT_TRUE(partition_->canAccept(request));
    partition_->accept(request, {now_});
  }
  void tick() { partition_->tick({now_++}); }
  // The tick, from the coming one as 0, after which the condition holds.
  std::optional<u64> ticksUntil(const std::function<bool()>& condition) {
    for (u64 ticks = 0; ticks < 1000; ++ticks) {
      tick();
      if (condition()) return ticks;
    }
    return std::nullopt;
  }
  std::optional<u64> ticksToResponse() {
    return ticksUntil([this] { return partition_->peekResponse(0) != nullptr; });
  }
  std::optional<u64> ticksToDram() {
    return ticksUntil([this] { return partition_->peekMiss() != nullptr; });
  }
  // DRAM answers in the coming tick.
  void answer() {
    Request response = partition_->takeMiss();
    response.isResponse = true;
    partition_->fill(response, {now_});
  }
  void bring(u64 address) {
    send(access(AccessType::globalRead, address));
    ASSERT_TRUE(ticksToDram());
    answer();
    const u32 port = map_->port(GlobalAddress(address));
    ASSERT_TRUE(ticksUntil([&] { return partition_->peekResponse(port) != nullptr; }));
    partition_->takeResponse(port);
  }
  void bringTo(u32 slice) { bring(slice * u64{256}); }

  config::Partition config;
  u32 l2InputQueue = 8;
  std::optional<AddressMap> map_;
  std::optional<Partition> partition_;
  u64 now_ = 0;
};

TEST_F(PartitionTiming, aHitTakesTheWayInAndTheHitLatency) {
  config.latency = 20;
  build(8192);
  bring(0);
  send(access(AccessType::globalRead, 0));
  EXPECT_EQ(ticksToResponse(), 20u + 10u);
}

// However long the way: the queue behind it limits what waits, not what is under way.
TEST_F(PartitionTiming, theWayInTakesARequestATick) {
  constexpr u32 kRequests = 50;
  config.latency = 100;
  config.inputQueue = 2;
  build(8192);
  bring(0);
  for (u32 id = 0; id < kRequests; ++id) {
    send(access(AccessType::globalRead, 0, id));
    tick();
  }
  EXPECT_EQ(ticksToResponse(), 100u + 10u - kRequests);
}

// L2 looks up one request a tick and has room for one: of four that come at once, the last waits three ticks for it.
TEST_F(PartitionTiming, waitingBeforeASliceIsCounted) {
  config.latency = 20;
  l2InputQueue = 1;
  build(8192);
  bring(0);
  for (u32 id = 0; id < 4; ++id) send(access(AccessType::globalRead, 0, id));
  u32 responses = 0;
  for (u32 i = 0; i < 60; ++i) {
    tick();
    for (; partition_->peekResponse(0) != nullptr; ++responses) partition_->takeResponse(0);
  }
  EXPECT_EQ(responses, 4u);
  const PartitionStats stats = partition_->statistics({now_});
  EXPECT_EQ(stats.inputQueueTicks, 0u + 1 + 2 + 3);
  EXPECT_EQ(stats.l2.inputQueueTicks, 0u);
}

// What arrives in a tick is first seen at the beginning of the next one.
TEST_F(PartitionTiming, whatQueuesHoldIsCountedTickByTick) {
  build(8192);
  send(access(AccessType::globalRead, 0));
  ASSERT_TRUE(ticksToDram());
  for (u32 i = 0; i < 7; ++i) tick();
  EXPECT_EQ(partition_->statistics({now_}).dramQueueTicks, 7u);
  EXPECT_EQ(partition_->statistics({now_ + 2}).dramQueueTicks, 9u) << "ticks in which nothing happens count";
  answer();
  ASSERT_TRUE(ticksToResponse());
  EXPECT_EQ(partition_->statistics({now_}).fillQueueTicks, 1u) << "from DRAM in a tick, to L2 in the same one";
  for (u32 i = 0; i < 5; ++i) tick();
  EXPECT_EQ(partition_->statistics({now_}).outputQueueTicks, 5u);
  partition_->takeResponse(0);
  for (u32 i = 0; i < 3; ++i) tick();
  const PartitionStats stats = partition_->statistics({now_});
  EXPECT_EQ(stats.dramQueueTicks, 7u);
  EXPECT_EQ(stats.outputQueueTicks, 5u);
  EXPECT_EQ(stats.atomicsQueueTicks, 0u);
  send(access(AccessType::atomic, 0, 1, 32));
  const std::optional<u64> ticks = ticksToResponse();
  ASSERT_TRUE(ticks);
  EXPECT_EQ(partition_->statistics({now_}).atomicsQueueTicks, 32u / config.atomicsPerTick);
}

TEST_F(PartitionTiming, aMissReachesDramAfterTheTagLookUp) {
  config.latency = 20;
  build(8192);
  send(access(AccessType::globalRead, 0));
  EXPECT_EQ(ticksToDram(), 20u + 3u);
  answer();
  EXPECT_EQ(ticksToResponse(), 1u) << "one sector: one tick to fill";
}

// L2 looks up for 3 ticks, its request is in the last level a tick later and looked up for 3 ticks.
TEST_F(PartitionTiming, aMissOfBothLevels) {
  build(8192, 32768);
  send(access(AccessType::globalRead, 0));
  EXPECT_EQ(ticksToDram(), 3u + 1 + 3);
}

TEST_F(PartitionTiming, withoutACacheRequestsPassInATick) {
  config.latency = 20;
  build(0);
  send(access(AccessType::globalRead, 0));
  EXPECT_EQ(ticksToDram(), 20u);
  answer();
  EXPECT_EQ(ticksToResponse(), 0u);
}

TEST_F(PartitionTiming, atomicsTakeTheirOperationsAfterTheLineIsThere) {
  config.atomicsPerTick = 4;
  build(8192);
  bring(0);
  const u64 sent = now_;
  send(access(AccessType::atomic, 0, 5, 30));
  EXPECT_EQ(ticksToResponse(), 10u + 8u) << "30 operations at 4 a tick";
  ASSERT_EQ(partition_->performed().size(), 1u);
  EXPECT_EQ(partition_->performed()[0], (PerformedAtomic{{sent + 18}, SmId{0}, 5}));
}

TEST_F(PartitionTiming, atomicsFollowOneAnother) {
  config.atomicsPerTick = 1;
  build(8192);
  bring(0);
  const u64 sent = now_;
  for (u32 id = 0; id < 3; ++id) send(access(AccessType::atomic, 0, id, 16));
  ASSERT_TRUE(ticksUntil([this] { return partition_->performed().size() == 3; }));
  for (u32 id = 0; id < 3; ++id) {
    EXPECT_EQ(partition_->performed()[id].id, id);
    EXPECT_EQ(partition_->performed()[id].time.ticks, sent + 10 + 16 * (id + 1));
  }
  const PartitionStats stats = partition_->statistics({now_});
  EXPECT_EQ(stats.atomicOperations, 48u);
  EXPECT_EQ(stats.atomicTicks, 48u);
  partition_->clearPerformed();
  EXPECT_TRUE(partition_->performed().empty());
}

TEST_F(PartitionTiming, withoutACacheAtomicsReadAndWriteDram) {
  build(0);
  send(access(AccessType::atomic, 0, 9, 1));
  EXPECT_EQ(ticksToDram(), 0u);
  EXPECT_EQ(partition_->peekMiss()->type, AccessType::atomic);
  answer();
  EXPECT_EQ(ticksToResponse(), 1u);
  ASSERT_NE(partition_->peekMiss(), nullptr);
  const Request write = partition_->takeMiss();
  EXPECT_EQ(write.type, AccessType::globalWrite);
  EXPECT_EQ(write.wholeSectors, 1u);
  EXPECT_FALSE(write.wantsResponse);
  EXPECT_EQ(partition_->takeResponse(0).id, 9u);
  tick();
  EXPECT_TRUE(partition_->quiescent());
}

TEST_F(PartitionTiming, slicesTakeTurnsAtTheWayOut) {
  config.slices = 2;
  build(8192);
  bring(0);
  bring(256);
  for (u32 id = 0; id < 4; ++id) send(access(AccessType::globalRead, id / 2 * 256, id));
  for (int i = 0; i < 20; ++i) tick();
  std::vector<u32> order;
  for (; partition_->peekResponse(0); order.push_back(partition_->takeResponse(0).id)) continue;
  EXPECT_EQ(order, (std::vector<u32>{0, 2, 1, 3}));
}

// Slices 0 and 2 share port 0, slices 1 and 3 port 1; each port takes turns of its own.
TEST_F(PartitionTiming, slicesShareThePortsInTurn) {
  config.slices = 4;
  config.networkPorts = 2;
  build(8192);
  for (u32 slice = 0; slice < 4; ++slice) bringTo(slice);
  for (u32 id = 0; id < 8; ++id) send(access(AccessType::globalRead, id / 2 * 256, id));
  for (int i = 0; i < 20; ++i) tick();
  for (u32 port = 0; port < 2; ++port) {
    std::vector<u32> order;
    for (; partition_->peekResponse(port); order.push_back(partition_->takeResponse(port).id)) {
      EXPECT_EQ(map_->port(partition_->peekResponse(port)->address), port);
    }
    EXPECT_EQ(order, port == 0 ? (std::vector<u32>{0, 4, 1, 5}) : (std::vector<u32>{2, 6, 3, 7}));
  }
}

// A line that something else has put into L2 is a hit, and clean.
TEST_F(PartitionTiming, whatIsPlacedIsThere) {
  build(8192);
  partition_->place(GlobalAddress(0), 0xf, {now_});
  send(access(AccessType::globalRead, 0));
  EXPECT_EQ(ticksToResponse(), 10u);
  partition_->takeResponse(0);
  partition_->flush();
  for (int i = 0; i < 100; ++i) tick();
  EXPECT_EQ(partition_->peekMiss(), nullptr);
  EXPECT_TRUE(partition_->quiescent());
}

// A line that was touched in no time is a hit, and goes to DRAM in the end where something was stored to it.
TEST_F(PartitionTiming, whatIsTouchedIsThere) {
  build(8192);
  partition_->touch({GlobalAddress(0), 0xf, 0x2}, {now_});
  send(access(AccessType::globalRead, 0));
  EXPECT_EQ(ticksToResponse(), 10u);
  partition_->takeResponse(0);
  partition_->flush();
  for (int i = 0; i < 100; ++i) tick();
  ASSERT_NE(partition_->peekMiss(), nullptr);
  EXPECT_EQ(partition_->peekMiss()->type, AccessType::writeBack);
  EXPECT_EQ(partition_->peekMiss()->sectors, 0x2u);
}

// A full slice stops its own requests only.
TEST_F(PartitionTiming, slicesHaveQueuesOfTheirOwn) {
  config.slices = 2;
  config.inputQueue = 1;
  build(8192);
  send(access(AccessType::globalRead, 0));
  EXPECT_FALSE(partition_->canAccept(access(AccessType::globalRead, 0)));
  EXPECT_TRUE(partition_->canAccept(access(AccessType::globalRead, 256)));
}

}  // namespace
}  // namespace warpwright::mem
