// Everything behind the SMs as one domain: both networks, the memory partitions and their DRAM channels, each in its own clock.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/ring_queue.hpp"
#include "config/machine.hpp"
#include "engine/channel.hpp"
#include "engine/clock_ratio.hpp"
#include "engine/domain.hpp"
#include "mem/dram/channel.hpp"
#include "mem/network/network.hpp"
#include "mem/partition/partition.hpp"
#include "mem/traffic.hpp"

namespace warpwright::mem {

using RequestChannel = engine::Channel<Request>;

struct MemorySideStats {
  NetworkStats requests, responses;
  PartitionStats partition;  // all together
  DramStats dram;            // all together

  static constexpr void fields(auto&& field) {
    using M = MemorySideStats;
    field("request_network", "", "from the SMs to the memory partitions", &M::requests);
    field("response_network", "", "from the memory partitions to the SMs", &M::responses);
    field("partition", "", "the memory partitions with their caches", &M::partition);
    field("dram", "", "the DRAM channels", &M::dram);
  }
};

class MemorySide final : public engine::Domain {
 public:
  // fromSms, toSms: by SM. The map must outlive it. Throws Error for a machine that cannot be built.
  MemorySide(const config::Machine& machine, const AddressMap& map, std::vector<RequestChannel*> fromSms,
             std::vector<RequestChannel*> toSms, bool skip);

  void run(Cycle from, Cycle until) override;
  Cycle nextUseful() const override { return nextEvent(now_); }

  // --- between quanta
  // Atomics that took effect, partition after partition, in the order of each; since the last call.
  std::span<const PerformedAtomic> takePerformed();
  // Data from the host have come to these addresses: the L2 slices hold their lines, clean. What lies in the way leaves without a
  // trace, dirty or not, as the time of copies from the host is not simulated.
  void placeCopied(u64 address, u64 bytes);
  // Counted up to, not including, the cycle.
  MemorySideStats statistics(Cycle until);
  // Traffic by who asked (memory_side_traffic.cpp). From now on it is counted, of launches that begin; `traffic`: of all origins together.
  void countByOrigin();
  void beginLaunch(u32 launch);
  void endLaunch(u32 launch, TrafficByPc& into);
  void addTraffic(Traffic& into);
  // The observer hears of every command of the channel; null: nobody does.
  void observeDram(u32 channel, DramObserver* observer) { channels_[channel]->dram.observe(observer); }
  // To SMs, since it was made.
  u64 answers() const { return answers_; }
  u32 partitions() const { return static_cast<u32>(channels_.size()); }
  // Nothing is under way.
  bool idle() const;
  // What is under way where, for the report of a deadlock.
  std::string describeWaits() const;

 private:
  // A partition's DRAM channel, and responses on their way through controller and interface.
  struct Channel {
    Channel(const config::Dram& config, bool skip) : dram(config, skip), returning(config.returnQueue + kExtraReturns) {}
    struct Returning {
      Request request;
      Cycle ready{};
    };
    static constexpr u32 kExtraReturns = 64;  // beside those in the channel: the fixed latency's worth of responses
    DramChannel dram;
    RingQueue<Returning> returning;
  };

  template <class Visit>
  void forEachTable(Visit visit);
  bool cycle(Cycle now);
  bool tickNetworks(Cycle now);
  bool tickPartitions(Cycle now);
  bool tickDram(Cycle now);
  bool receive(Cycle now);
  bool deliver(Cycle now);
  Cycle nextEvent(Cycle now) const;
  Cycle nextHandOver(u32 partition, L2Tick l2Tick, DramTick dramTick) const;
  // Of a partition at the networks.
  u32 firstPort(u32 partition) const { return partition * map_.portsPerPartition(); }
  bool canAccept(u32 partition, u32 port) const;
  bool canRespond(u32 partition, u32 port) const;

  config::Machine machine_;
  const AddressMap& map_;
  std::vector<RequestChannel*> fromSms_, toSms_;
  bool skip_;
  engine::ClockRatio networkClock_, l2Clock_, dramClock_;
  Network requests_, responses_;
  std::vector<std::unique_ptr<Partition>> partitions_;
  std::vector<std::unique_ptr<Channel>> channels_;
  std::vector<PerformedAtomic> performed_;
  u64 answers_ = 0;
  Cycle now_{};  // simulated up to it
};

}  // namespace warpwright::mem
