// Everything behind the SMs: both networks, the memory partitions and their DRAM channels, each in its own clock. They are domains of the
// simulation, joined by channels; what is asked between quanta is asked here.
//
// The way from the network to an L2 slice and back takes partition.latency ticks. The two channels between a partition and the networks
// take the injection latency each, and the partition's own queue the rest, so that the whole stays what it is. Where that latency is
// shorter than the channels', networks and partitions go in step, as one domain.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "config/machine.hpp"
#include "engine/quanta.hpp"
#include "mem/side/network_sections.hpp"
#include "mem/side/partition_section.hpp"
#include "mem/traffic.hpp"

namespace warpwright::mem {

struct MemorySideStats {
  NetworkStats requests, responses;
  PartitionStats partition;  // all together
  DramStats dram;            // all together
  // Not a counter: something stands between partitions and channels, which may send other bytes to one than it gets from the other.
  bool hasStages = false;

  static constexpr void fields(auto&& field) {
    using M = MemorySideStats;
    field("request_network", "", "from the SMs to the memory partitions", &M::requests);
    field("response_network", "", "from the memory partitions to the SMs", &M::responses);
    field("partition", "", "the memory partitions with their caches", &M::partition);
    field("dram", "", "the DRAM channels", &M::dram);
  }
};

class MemorySide final {
 public:
  // Changes the parts of a partition.
  using Equip = std::function<void(Parts& parts, PartitionId partition)>;

  // fromSms, toSms: by SM. The map must outlive it. skip: false does all work in every tick. Throws Error for a machine that cannot be
  // built.
  MemorySide(const config::Machine& machine, const AddressMap& map, std::vector<RequestChannel*> fromSms,
             std::vector<RequestChannel*> toSms, bool skip, const Equip& equip = {});

  // --- for the engine
  // Numbers of domains count from 0 here.
  const std::vector<engine::Domain*>& domains() const { return domains_; }
  const std::vector<engine::Link>& links() const { return links_; }
  // Where the SMs' channels lead to, and come from.
  u32 requestDomain() const { return 0; }
  u32 responseDomain() const { return isSplit() ? 1 : 0; }

  // --- between quanta
  // Atomics that took effect, partition after partition, in the order of each; since the last call.
  std::span<const PerformedAtomic> takePerformed();
  // Data from the host have come to these addresses: the L2 slices hold their lines, clean. What lies in the way leaves without a
  // trace, dirty or not, as the time of copies from the host is not simulated. now: the end of the last quantum.
  void placeCopied(GlobalAddress address, u64 bytes, Cycle now);
  // Accesses that took no time have touched these lines of L2, in this order: the slices hold them as if they had been accessed.
  void touch(std::span<const TouchedLine> lines, Cycle now);
  // Counted up to, not including, the cycle.
  MemorySideStats statistics(Cycle until);
  // The same of each L2 slice, and of each channel of DRAM.
  std::vector<SliceLoad> sliceLoads(Cycle until);
  std::vector<DramStats> channelStatistics(Cycle until);
  // Traffic by who asked (memory_side_traffic.cpp). From now on it is counted, of launches that begin; `traffic`: of all origins together.
  void countByOrigin();
  void beginLaunch(u32 launch);
  void endLaunch(u32 launch, TrafficByPc& into);
  void addTraffic(Traffic& into);
  // The observer hears of every command of the partition's channel; null: nobody does.
  void observeDram(PartitionId partition, DramObserver* observer) { partitions_[partition]->dram().observe(observer); }
  // To SMs, since it was made.
  u64 answers() const { return responses_->delivered(); }
  u32 partitions() const { return static_cast<u32>(partitions_.size()); }
  // Nothing is under way.
  bool idle() const;
  // What is under way where, for the report of a deadlock.
  std::string describeWaits() const;

 private:
  template <class Visit>
  void forEachTable(Visit visit);
  bool isSplit() const { return domains_.size() > 1; }
  void addHalves();
  void addPartitions(const config::Partition& config, const Equip& equip);
  void addDomain(std::vector<Section*> sections);
  void addDomains(bool splits);

  config::Machine machine_;
  const AddressMap& map_;
  bool skip_;
  std::vector<std::unique_ptr<RequestChannel>> down_, up_;      // between the networks and the partitions, by port; none: they go in step
  std::vector<std::unique_ptr<RequestChannel>> across_, back_;  // from each partition to its partner, and back; none: there are no halves
  std::unique_ptr<RequestSection> requests_;
  std::unique_ptr<ResponseSection> responses_;
  std::vector<std::unique_ptr<PartitionPort>> ports_;
  std::vector<std::unique_ptr<PartitionSection>> partitions_;
  std::vector<std::unique_ptr<InStep>> inStep_;
  std::vector<engine::Domain*> domains_;
  std::vector<engine::Link> links_;
  std::vector<PerformedAtomic> performed_;
};

}  // namespace warpwright::mem
