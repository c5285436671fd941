// Each network with what leads into it and out of it.
#pragma once

#include <vector>

#include "config/machine.hpp"
#include "engine/channel.hpp"
#include "engine/clock_ratio.hpp"
#include "mem/network/network.hpp"
#include "mem/partition/address_map.hpp"
#include "mem/side/section.hpp"

namespace warpwright::mem {

using RequestChannel = engine::Channel<Request>;

// A network, and the channels at its inputs and outputs. Where there are none at an end, whoever is there works on the network directly.
class NetworkSection : public Section {
 public:
  void begin() override;
  Cycle nextEvent(Cycle now) const override;

  Network& network() { return network_; }
  const Network& network() const { return network_; }
  // The network's next tick in that cycle, or behind it.
  NetworkTick time(Cycle now) const { return {ticks_.before(now)}; }
  // Packets given to the channels at its outputs.
  u64 delivered() const { return delivered_; }

 protected:
  NetworkSection(const config::Machine& machine, u32 inputs, u32 outputs, NetworkDirection direction, std::vector<RequestChannel*> in,
                 std::vector<RequestChannel*> out, bool skip);

  bool receive(Cycle now, NetworkTick time) { return arrival_ <= now && receiveAll(now, time); }
  bool deliver(Cycle now);
  bool tick(Cycle now);
  engine::TickCursor ticks_;

 private:
  bool receiveAll(Cycle now, NetworkTick time);
  Cycle nextArrival() const;

  Network network_;
  std::vector<RequestChannel*> in_, out_;
  bool skip_;
  std::vector<Cycle> arrivals_;  // by input: of what comes first in this quantum, or waits for the network
  Cycle arrival_ = kNever;       // the first of them
  u64 delivered_ = 0;
};

// From the SMs to the partitions. What arrives from an SM moves in the next cycle.
class RequestSection final : public NetworkSection {
 public:
  // fromSms: by SM; toPartitions: by port, or empty.
  RequestSection(const config::Machine& machine, const AddressMap& map, std::vector<RequestChannel*> fromSms,
                 std::vector<RequestChannel*> toPartitions, bool skip);
  bool cycle(Cycle now) override;
};

// From the partitions to the SMs. What arrives from a partition moves in the same cycle.
class ResponseSection final : public NetworkSection {
 public:
  ResponseSection(const config::Machine& machine, const AddressMap& map, std::vector<RequestChannel*> fromPartitions,
                  std::vector<RequestChannel*> toSms, bool skip);
  bool cycle(Cycle now) override;
};

}  // namespace warpwright::mem
