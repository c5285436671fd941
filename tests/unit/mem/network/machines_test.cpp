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

// A block of any size is one packet, a header of 8 bytes before its data: 3, 5, 9 and 17 flits of 16 bytes (Gou, section 6.5.6, footnote
// 12: half of the packet's first 32 bytes are overhead, a sixteenth of 256).
TEST(NetworkOfMachines, carriesABlockOfAnySizeAsOnePacket) {
  const config::Machine m = machine("gt200-granularity");
  const u32 ports = m.dram.channels * m.partition.networkPorts;
  for (const auto& [bytes, flits] : {std::pair{32u, 3u}, {64u, 5u}, {128u, 9u}, {256u, 17u}}) {
    Request request = lineRead(m, false);
    request.lineBytes = bytes;
    request.sectors = (1u << bytes / 32) - 1;
    Network down(m.network, m.multiprocessors, ports, NetworkDirection::toMemory);
    EXPECT_EQ(latencyOf(down, 0, request), 11u) << "a flit, whatever it asks for";
    request.isResponse = true;
    Network up(m.network, ports, m.multiprocessors, NetworkDirection::toSm);
    EXPECT_EQ(latencyOf(up, 0, request), 11u + flits - 1) << bytes;
    EXPECT_EQ(up.statistics({100}).ejectedFlits, flits) << bytes;
    EXPECT_EQ(up.statistics({100}).deliveredBytes, 8u + bytes) << bytes;
  }
}

}  // namespace
}  // namespace warpwright::mem::testing
