// The network that joins the SMs of a cluster's group, for accesses to each other's shared memory. It is never the bottleneck but at its
// ends: an SM sends and receives so many bytes a cycle (sm.memory.remote_shared_bytes). What an SM sends leaves at that rate
// (sm::LoadStoreUnit); here is what others do to it. An access takes sm.memory.remote_shared_latency there and back, half of it each way.
#pragma once

#include <algorithm>
#include <vector>

#include "config/machine.hpp"
#include "sm/cluster_seat.hpp"
#include "sm/load_store.hpp"

namespace warpwright::machines {

class ClusterNetwork {
 public:
  explicit ClusterNetwork(const config::Machine& machine)
      : latency_(machine.sm.remoteSharedLatency), bytesPerCycle_(machine.sm.remoteSharedBytes), free_(machine.multiprocessors) {}

  // When the message is answered. Messages come in the order in which they were sent.
  Cycle answer(const sm::RemoteMessage& message, const sm::ClusterSeat& seat) {
    Cycle answered = message.sent + latency_;
    for (u32 rank = 0; rank < message.bytes.size(); ++rank)
      if (message.bytes[rank] != 0) answered = std::max(answered, receive(message.sent + way(), seat.sms[rank], message.bytes[rank]));
    return answered;
  }
  // Of a message that is no access: the arrival at a cluster's barrier.
  u64 way() const { return latency_ / 2; }

 private:
  // An SM gets so many bytes, which are there at the earliest; gives the time of the answer.
  Cycle receive(Cycle arrival, SmId sm, u32 bytes) {
    const Cycle begin = std::max(arrival, free_[sm]);
    const u64 cycles = (bytes + bytesPerCycle_ - 1) / bytesPerCycle_;
    free_[sm] = begin + cycles;
    return begin + (cycles - 1) + (latency_ - way());
  }

  u32 latency_, bytesPerCycle_;
  std::vector<Cycle> free_;  // by SM: when it receives more
};

}  // namespace warpwright::machines
