// Networks keep the protocol of memory agents under random traffic and backpressure.
#include <gtest/gtest.h>

#include "config/machine.hpp"
#include "mem/network/network.hpp"
#include "stats/json.hpp"
#include "unit/mem/conformance/conform.hpp"

namespace warpwright::mem::testing {
namespace {

using conformance::Random;
using conformance::Traffic;

class Agent {
 public:
  Agent(const config::Network& config, u32 inputs, u32 outputs, NetworkDirection direction = NetworkDirection::toMemory)
      : network_(config, inputs, outputs, direction) {}

  u32 inputs() const { return network_.inputs(); }
  u32 outputs() const { return network_.outputs(); }
  u32 destination(const Request& request) const { return network_.destination(request); }
  bool canAccept(u32 port, const Request& request) const { return network_.canAccept(port, request); }
  void accept(u32 port, const Request& request, u64 now) { network_.accept(port, request, {now}); }
  const Request* peek(u32 port) const { return network_.peek(port); }
  Request take(u32 port) { return network_.take(port); }
  bool tick(u64 now) {
    now_ = now;
    return network_.tick({now});
  }
  u64 nextUseful(u64 now) const { return network_.nextUseful({now}).ticks; }
  bool quiescent() const { return network_.idle(); }
  stats::Json statistics(u64 now) {
    stats::Json json = stats::toJson(network_.statistics({now}));
    for (u32 link = 0; link < network_.links(); ++link) json[network_.linkName(link)] = network_.linkFlits(link);
    return json;
  }
  void check(stats::Conservation& laws) const {
    Network copy = network_;
    copy.check({now_ + 1}, laws);
  }

 private:
  Network network_;
  u64 now_ = 0;
};

struct Case {
  std::string name;
  config::Network config;
  u32 inputs, outputs;
  Traffic traffic;
};

Case crossbarCase(std::string name, u32 inputs, u32 outputs) { return {std::move(name), {}, inputs, outputs, {}}; }

Case butterflyCase(std::string name, u32 radix, u32 stages, u32 inputs, u32 outputs) {
  Case result{std::move(name), {}, inputs, outputs, {}};
  result.config.topology = config::Topology::butterfly;
  result.config.radix = radix;
  result.config.stages = stages;
  result.config.flitBytes = 16;
  return result;
}

std::vector<Case> cases() {
  std::vector<Case> result = {crossbarCase("crossbar15x6", 15, 6), crossbarCase("crossbar1x1", 1, 1), crossbarCase("crossbar80x32", 80, 32),
                              butterflyCase("fly2x5", 2, 5, 16, 4), butterflyCase("fly3x2full", 3, 2, 9, 9)};
  result.push_back(crossbarCase("twoChannelsOldest", 15, 6));
  result.back().config.virtualChannels = 2;
  result.back().config.arbitration = "oldest";
  result.push_back(crossbarCase("smallestQueues", 5, 3));
  result.back().config.buffersPerChannel = result.back().config.injectionQueue = result.back().config.ejectionQueue = 1;
  result.push_back(crossbarCase("noRouterLatency", 4, 4));
  result.back().config.routerLatency = 0;
  result.push_back(butterflyCase("fly2x5twoChannels", 2, 5, 16, 4));
  result.back().config.virtualChannels = 2;
  result.back().config.channelLatency = 3;
  result.push_back(butterflyCase("fly2x5tailCredits", 2, 5, 16, 4));
  result.back().config.waitForTailCredit = true;
  result.back().config.virtualChannels = 2;
  result.push_back(butterflyCase("fly4x3threeChannelsOldest", 4, 3, 40, 40));
  result.back().config.virtualChannels = 3;
  result.back().config.routerLatency = 4;
  result.back().config.arbitration = "oldest";
  result.push_back(crossbarCase("hotSpotSlowReceiver", 8, 4));
  result.back().traffic.takePercent = 5;
  result.back().traffic.shape = [](Request& request, u32, Random&) { request.memoryPort = 2; };
  result.push_back(crossbarCase("speedup", 15, 12));
  result.back().config.internalSpeedup = 2;
  result.push_back(crossbarCase("speedupSlowReceiver", 8, 4));
  result.back().config.internalSpeedup = 3;
  result.back().config.ejectionQueue = 2;
  result.back().traffic.takePercent = 20;
  result.push_back(butterflyCase("speedupFly2x4", 2, 4, 16, 16));
  result.back().config.internalSpeedup = 2;
  result.back().config.virtualChannels = 2;
  result.back().config.channelLatency = 2;
  result.push_back(butterflyCase("sparse", 2, 4, 16, 16));
  result.back().traffic.offerPercent = 2;
  return result;
}

TEST(NetworkConformance, holdsTheProtocol) {
  for (const Case& each : cases()) {
    SCOPED_TRACE(each.name);
    Traffic traffic = each.traffic;
    traffic.seed = 7;
    if (!traffic.shape) {
      traffic.shape = [outputs = each.outputs](Request& request, u32, Random& random) {
        request.memoryPort = static_cast<u16>(random.below(outputs));
      };
    }
    conformance::conform([&] { return Agent(each.config, each.inputs, each.outputs); }, traffic);
  }
}

// Both networks of every machine in configs/. In this direction a packet's destination is its SM.
TEST(NetworkConformance, holdsTheProtocolOnEveryMachine) {
  for (const config::Machine& machine : config::presetMachines()) {
    if (!machine.timed) continue;
    SCOPED_TRACE(machine.name);
    const u32 sms = machine.multiprocessors, ports = machine.dram.channels * machine.partition.networkPorts;
    Traffic traffic;
    traffic.requests = 1000;
    traffic.shape = [&](Request& request, u32, Random& random) {
      request.memoryPort = static_cast<u16>(random.below(ports));
      request.origin.sm = static_cast<u16>(random.below(sms));
    };
    conformance::conform([&] { return Agent(machine.network, sms, ports, NetworkDirection::toMemory); }, traffic);
    traffic.shape = [&](Request& request, u32, Random& random) {
      request.origin.sm = static_cast<u16>(random.below(sms));
      request.isResponse = true;
    };
    conformance::conform([&] { return Agent(machine.network, ports, sms, NetworkDirection::toSm); }, traffic);
  }
}

// Packets of one input to one output, through one virtual channel, keep their order.
TEST(NetworkConformance, oneChannelKeepsOrder) {
  Traffic traffic;
  traffic.shape = [](Request& request, u32 port, Random& random) {
    request.origin.sm = static_cast<u16>(port);
    request.memoryPort = static_cast<u16>(random.below(6));
  };
  const auto outcome = conformance::conform([] { return Agent({}, 15, 6); }, traffic);
  std::map<std::pair<u32, u32>, u32> last;
  for (const auto& event : outcome.events) {
    if (event.crossing != conformance::Crossing::delivered) continue;
    u32& previous = last[{event.request.origin.sm, event.port}];
    EXPECT_LE(previous, event.request.id);
    previous = event.request.id;
  }
}

}  // namespace
}  // namespace warpwright::mem::testing
