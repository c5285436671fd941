// The networks of the machines in configs/.
#include <gtest/gtest.h>

#include "config/machine.hpp"
#include "unit/mem/network/traffic.hpp"

namespace warpwright::mem::testing {
namespace {

config::Machine machine(const std::string& name) { return config::loadMachine(WARPWRIGHT_SOURCE_DIR "/configs/" + name + ".toml"); }

Request lineRead(const config::Machine& machine, bool isResponse) {
  Request request;
  request.lineBytes = 128;
  request.sectors = 0b1111;
  request.isResponse = isResponse;
  request.memoryPort = static_cast<u16>(machine.dram.channels * machine.partition.networkPorts - 1);
  request.origin.sm = static_cast<u16>(machine.multiprocessors - 1);
  return request;
}

// Latencies by hand from the files' figures: 1 + stages (router + channel) + flits - 1, of 8 B down and 136 B up.
TEST(NetworkOfMachines, carriesALine) {
  struct Expected {
    const char* name;
    u64 request, response;
  };
  for (const Expected& expected :
       {Expected{"gtx480", 3, 3 + 3}, Expected{"fermi-caba", 3, 3 + 4}, Expected{"gt200-granularity", 11, 11 + 8}}) {
    const config::Machine m = machine(expected.name);
    Network down(m.network, m.multiprocessors, m.dram.channels * m.partition.networkPorts, NetworkDirection::toMemory);
    Network up(m.network, m.dram.channels * m.partition.networkPorts, m.multiprocessors, NetworkDirection::toSm);
    EXPECT_EQ(latencyOf(down, 0, lineRead(m, false)), expected.request) << expected.name;
    EXPECT_EQ(latencyOf(up, 0, lineRead(m, true)), expected.response) << expected.name;
  }
}

}  // namespace
}  // namespace warpwright::mem::testing
