// Who is served first where several of an SM's caches want the network.
#include "sm/memory_ports.hpp"

#include <gtest/gtest.h>

#include "wire.hpp"

namespace warpwright::sm {
namespace {

using testing::bareMachine;
using testing::Wire;

mem::Request load(mem::AccessType type, u64 line) {
  mem::Request request;
  request.address = line * 128;
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

}  // namespace
}  // namespace warpwright::sm
