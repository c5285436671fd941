// An SM's ports without the rest of the machine: the test is the memory behind the network.
#pragma once

#include <vector>

#include "sm/memory_ports.hpp"

namespace warpwright::testing {

// No caches but the data cache's MSHRs. Network of one cycle.
inline config::Machine bareMachine() {
  config::Machine machine;
  machine.l1d.bytes = machine.l1i.bytes = machine.l1c.bytes = machine.textureCache.bytes = 0;
  machine.sm.storesInFlight = 4;
  machine.warpsPerSm = 4;
  return machine;
}

class Wire {
 public:
  explicit Wire(const config::Machine& machine) : ports(machine, SmId{0}, map_, out_, in_) {}

  // One cycle of the ports; gives what they sent.
  std::vector<mem::Request> tick(Cycle now) {
    ports.tick(now);
    exchange();
    std::vector<mem::Request> sent;
    for (; out_.ready(now + 1); sent.back().isResponse = true) sent.push_back(out_.take(now + 1));
    exchange();
    return sent;
  }
  // Answers a request, in the cycle after `now`; gives the answers that come of it.
  std::vector<sm::Answer> respond(const mem::Request& response, Cycle now) {
    in_.send(response, now);
    exchange();
    ports.tick(now + 1);
    const auto answers = ports.takeAnswers();
    return {answers.begin(), answers.end()};
  }

 private:
  void exchange() {
    out_.exchange();
    in_.exchange();
  }
  mem::AddressMap map_{1, 1, 1, 256, "false"};
  sm::NetworkPort out_{64, 1}, in_{64, 1};

 public:
  sm::MemoryPorts ports;
};

}  // namespace warpwright::testing
