// Who is served first where several of an SM's caches want the network.
#include "sm/memory_ports.hpp"

#include <gtest/gtest.h>

#include <map>

#include "wire.hpp"

namespace warpwright::sm {
namespace {

using testing::bareMachine;
using testing::Wire;

mem::Request load(mem::AccessType type, u64 line) {
  mem::Request request;
  request.address = GlobalAddress(line * 128);
  request.lineBytes = 128;
  request.sectors = 0xf;
  request.type = type;
  return request;
}

// Four senders with three requests each, neighbours among them: none waits longer than for one of each other.
TEST(MemoryPorts, SendersTakeTurns) {
  config::Machine machine = bareMachine();
  machine.l1d.ports = machine.l1c.ports = machine.textureCache.ports = 3;
  machine.l1c.bytes = machine.textureCache.bytes = 4096;
  Wire wire(machine);
  const std::pair<Route, mem::AccessType> senders[] = {{Route::l1Data, mem::AccessType::globalRead},
                                                       {Route::l1Constant, mem::AccessType::constantRead},
                                                       {Route::texture, mem::AccessType::textureRead},
                                                       {Route::network, mem::AccessType::atomic}};
  for (u64 line = 0; line < 3; ++line)
    for (const auto& [route, type] : senders) wire.ports.send({load(type, line), route}, {0});
  std::vector<mem::AccessType> sent;
  // All caches have something to send from the first cycle that one of them has on.
  for (u64 now = 1; now < 100; ++now)
    for (const mem::Request& request : wire.tick({now})) sent.push_back(request.type);
  ASSERT_EQ(sent.size(), 12u);
  for (std::size_t i = 4; i < 8; ++i) {
    EXPECT_EQ(sent[i], sent[i + 4]) << i;
    for (std::size_t other = i + 1; other < 8; ++other) EXPECT_NE(sent[i], sent[other]) << i << " and " << other;
  }
}

// With a latency of 20, loads by three ways that leave in the same cycle are answered together 20 cycles later, an atomic leaves for the
// network, and a store that wants no answer has none.
TEST(MemoryPorts, PerfectMemoryAnswersAllThatIsAsked) {
  config::Machine machine = bareMachine();
  machine.sm.perfectLatency = 20;
  machine.l1d.ports = machine.l1c.ports = machine.textureCache.ports = 1;
  machine.l1d.missLatency = machine.l1c.missLatency = machine.textureCache.missLatency = 1;
  machine.l1d.fillBytesPerTick = machine.l1c.fillBytesPerTick = machine.textureCache.fillBytesPerTick = 128;
  machine.l1c.bytes = machine.textureCache.bytes = 4096;
  Wire wire(machine);
  u32 id = 1;
  const auto send = [&](Route route, mem::AccessType type) {
    mem::Request request = load(type, id);
    request.wantsResponse = type != mem::AccessType::globalWrite;
    request.id = id++;
    wire.ports.send({request, route}, {0});
  };
  send(Route::l1Data, mem::AccessType::globalRead);
  send(Route::l1Constant, mem::AccessType::constantRead);
  send(Route::texture, mem::AccessType::textureRead);
  send(Route::network, mem::AccessType::atomic);
  send(Route::l1Data, mem::AccessType::globalWrite);
  std::vector<mem::AccessType> onNetwork;
  std::map<u64, std::vector<u32>> answers;  // by cycle
  for (u64 now = 1; now < 60; ++now) {
    for (const mem::Request& request : wire.tick({now})) onNetwork.push_back(request.type);
    for (const Answer& answer : wire.ports.takeAnswers()) answers[now].push_back(answer.id);
  }
  EXPECT_EQ(onNetwork, std::vector{mem::AccessType::atomic});
  // Processed in cycle 1, out in cycle 2, back in 22, a cycle in the cache.
  EXPECT_EQ(answers, (std::map<u64, std::vector<u32>>{{23, {1, 2, 3}}}));
}

}  // namespace
}  // namespace warpwright::sm
