// A network in one direction: from SMs to memory partitions, or back.
#pragma once

#include <bit>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/ring_queue.hpp"
#include "base/time.hpp"
#include "config/network.hpp"
#include "mem/network/active_list.hpp"
#include "mem/network/arbitration/arbitration.hpp"
#include "mem/network/channel_buffers.hpp"
#include "mem/network/injector.hpp"
#include "mem/network/output_port.hpp"
#include "mem/network/packet.hpp"
#include "mem/network/statistics.hpp"
#include "mem/network/timing_wheel.hpp"
#include "mem/network/wiring.hpp"
#include "mem/request.hpp"
#include "mem/traffic.hpp"

namespace warpwright::mem {

enum class NetworkDirection : u8 {
  toMemory,  // a packet goes to the output Request::partition
  toSm,      // … Request::sm
};

// A memory agent of input-buffered wormhole routers with virtual channels and credits (Dally and Towles, chapters 13 and 16). A packet of F
// flits that is accepted in tick t and crosses H routers without waiting is ready at its output in tick
//
//   t + 1 + H (routerLatency + channelLatency) + F - 1.
//
// Every link, and every input of the network, carries one flit a tick, those to SMs `ejectionFlits`. With an internal speedup of S, a
// router moves S flits a tick from each input and to each output, where they wait for the link; what waits there is bounded by the credits
// and entries behind it. A virtual channel with B buffers sustains min(1, B / (routerLatency + 2 channelLatency)) flits a tick, as its
// credits take that long to come back; at an input of the network they are back as soon as the flit has left. With waitForTailCredit it
// sustains a packet of F <= B flits in F - 1 + routerLatency + 2 channelLatency ticks.
class Network {
 public:
  // Throws Error when the configuration cannot be built for so many inputs and outputs. skip: a tick in which nothing can change returns at
  // once.
  Network(const config::Network& config, u32 inputs, u32 outputs, NetworkDirection direction, bool skip = true);

  u32 inputs() const { return wiring_.inputs; }
  u32 outputs() const { return wiring_.outputs; }
  // The output at which the request will arrive.
  u32 destination(const Request& request) const {
    return direction_ == NetworkDirection::toMemory ? request.memoryPort : request.origin.sm;
  }

  bool canAccept(u32 input, const Request&) const { return !injectors_[input].full(); }
  void accept(u32 input, const Request& request, NetworkTick now);
  // Null when no packet has arrived in full.
  const Request* peek(u32 output) const {
    const auto& arrived = arrived_[output];
    return arrived.empty() ? nullptr : &packets_[arrived.front()].request;
  }
  // The packet that peek() shows leaves.
  void drop(u32 output);
  Request take(u32 output) {
    const Request request = *peek(output);
    drop(output);
    return request;
  }
  // Visits the outputs with packets that have arrived, in ascending order. A visit may take packets of its output.
  template <class Visit>
  void forEachArrived(Visit&& visit) const {
    for (u32 word = 0; word < arrivedAt_.size(); ++word) {
      for (u64 bits = arrivedAt_[word]; bits != 0; bits &= bits - 1) visit(word * 64 + static_cast<u32>(std::countr_zero(bits)));
    }
  }

  // At most one call a tick, with growing times. False: nothing happened.
  bool tick(NetworkTick now);
  // After tick(now): the first tick in which tick could do anything, unless a packet is accepted or taken before.
  NetworkTick nextUseful(NetworkTick now) const;
  bool idle() const { return packets_.inUse() == 0; }

  // Counters up to and without tick `now`.
  const NetworkStats& statistics(NetworkTick now);
  // From now on packets are counted by who asked, too.
  void countByOrigin() { origins_.emplace(); }
  // Null when they are not.
  OriginTable<NetworkUse>* origins() { return origins_ ? &*origins_ : nullptr; }
  // Links are the outputs of the routers. Utilisation is flits over ticks.
  u32 links() const { return static_cast<u32>(linkFlits_.size()); }
  u64 linkFlits(u32 link) const { return linkFlits_[link]; }
  std::string linkName(u32 link) const;
  // The laws of the counters and of every link; the network must be empty.
  void check(NetworkTick now, stats::Conservation& laws);

 private:
  struct Leaving {
    NetworkTick time{};
    u32 output = 0;  // of the network
    PacketId packet = 0;
  };
  struct Credit {
    NetworkTick time{};
    u32 output = 0, channel = 0;  // router's output, virtual channel behind it
  };
  // What feeds a router's input: an input of the network or an output of a router.
  struct Upstream {
    bool isTerminal = false;
    u32 number = 0;
  };

  void buildOutputs();
  void buildUpstreams();
  void settle(NetworkTick now);
  bool returnCredits(NetworkTick now);
  bool inject(NetworkTick now);
  void put(ChannelId channel, Flit flit, NetworkTick ready);
  bool eject(NetworkTick now);
  void awaitOutput(ChannelId channel);
  void leave(const Leaving& last);
  bool allocate(NetworkTick now);
  bool serve(u32 output, NetworkTick now, bool isLastStep);
  u32 choose(const OutputPort& port, u32 headChannel) const;
  void countStalls(const OutputPort& port, bool headCanGo, bool granted);
  void send(u32 output, ChannelId channel, u32 headChannel, NetworkTick now);
  void advance(OutputPort& port, ChannelId channel, bool packetEnds);
  void freeBuffer(ChannelId channel, NetworkTick now);
  NetworkTick nextEvent(NetworkTick now) const;

  config::Network config_;
  NetworkDirection direction_;
  bool skip_;
  Wiring wiring_;
  PacketPool packets_;
  ChannelBuffers buffers_;
  std::vector<Injector> injectors_;
  std::vector<OutputPort> outputPorts_;
  std::vector<Upstream> upstreams_;           // by router's input
  std::shared_ptr<Arbitration> arbitration_;  // a copy of the network shares it
  std::vector<u32> inputOf_;                  // router's input, by channel
  std::vector<u64> inputBusy_;                // by router's input: the last step in which it sent a flit
  std::vector<RingQueue<PacketId>> arrived_;  // by output of the network
  std::vector<u64> arrivedAt_;                // bits of the outputs of the network where some are
  std::vector<u32> lastPort_;                 // by output of the network: the router's output before it

  ActiveList activeInjectors_, activeOutputs_;
  TimingWheel<ChannelId, NetworkClock> wakes_;  // channels whose front flit becomes ready
  RingQueue<Leaving> leaving_;                  // last flits on the way to their outputs, in the order of time
  RingQueue<Credit> credits_;                   // in the order of time
  std::vector<ChannelId> changed_;              // channels with another packet in front from the next step on

  u64 step_ = 0;                               // of the routers, internalSpeedup a tick
  NetworkTick readyBy_{};                      // flits that are ready then can go in the step behind this one
  NetworkTick next_ = kNeverOf<NetworkClock>;  // tick() can do nothing before
  bool hasNewPackets_ = false;                 // that can move in the next tick
  NetworkTick settled_{};                      // the counters cover the ticks before
  // Flits that are held up, in the last tick and in each one until something changes.
  u64 injectionStalled_ = 0, creditStalled_ = 0, arbitrationStalled_ = 0;
  NetworkStats stats_;
  std::optional<OriginTable<NetworkUse>> origins_;  // nothing: nobody asks
  std::vector<u64> linkFlits_;
};

}  // namespace warpwright::mem
