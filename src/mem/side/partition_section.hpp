// A memory partition, its DRAM channel, and what a mechanism has put between them.
#pragma once

#include <memory>
#include <vector>

#include "base/ring_queue.hpp"
#include "engine/clock_ratio.hpp"
#include "mem/parts.hpp"
#include "mem/side/partition_port.hpp"
#include "mem/side/section.hpp"

namespace warpwright::mem {

// Responses that have room on their way through controller and interface: as many as the channel's bus can bring, one column access each,
// while the first of them is on its way, so that the fixed latency bounds no bandwidth; and at its end dram.return_queue and
// dram.interface_queue.
u32 mostReturning(const config::Machine& machine);

// From a partition to its partner in the other half of the chip, and what comes back. Requests find room: the channel holds all that can be
// under way. Nothing: there are no halves.
struct PartnerLink {
  RequestChannel* requests = nullptr;
  RequestChannel* responses = nullptr;
};

class PartitionSection final : public Section {
 public:
  // config: the partition's, without the latency of the channels to the networks. number: which one it is. ports: in the order of the
  // partition's; they, and what the link names, outlive it.
  PartitionSection(const config::Machine& machine, const config::Partition& config, const Parts& parts, PartitionId number,
                   std::vector<PartitionPort*> ports, PartnerLink partner, bool skip);

  bool cycle(Cycle now) override;
  Cycle nextEvent(Cycle now) const override;

  PartitionModel& partition() { return *partition_; }
  const PartitionModel& partition() const { return *partition_; }
  DramModel& dram() { return *dram_; }
  bool hasStages() const { return !stages_.empty(); }
  L2Tick l2Time(Cycle now) const { return {l2Ticks_.before(now)}; }
  DramTick dramTime(Cycle now) const { return {dramTicks_.before(now)}; }
  // Nothing is under way: in the partition and the stages, in the channel.
  bool isPartitionIdle() const;
  bool isDramIdle() const { return dram_->idle() && returning_.empty(); }

 private:
  struct Stage {
    std::unique_ptr<DramStage> agent;
    bool isTouched = false;  // something was exchanged since its last tick
  };
  // On its way through controller and interface.
  struct Returning {
    Request request;
    Cycle ready{};
  };

  bool tickDram(Cycle now);
  bool tickPartition(Cycle now);
  bool fillFromDram(Cycle now, L2Tick time);
  bool fillFromPartner(Cycle now, L2Tick time);
  bool askPartner(Cycle now);
  bool tickStages(L2Tick time);
  bool feedStages(L2Tick time);
  // What lies above stage number `stage`; that of the channel is the number of stages.
  const Request* peekAbove(std::size_t stage) const { return stage == 0 ? partition_->peekMiss() : stages_[stage - 1].agent->peekMiss(); }
  Request takeAbove(std::size_t stage);
  bool canFillAbove(std::size_t stage, const Request& response) const;
  void fillAbove(std::size_t stage, const Request& response, L2Tick time);
  Cycle nextHandOver(Cycle now, L2Tick l2Tick, DramTick dramTick) const;

  u64 fixedLatency_;
  bool skip_;
  engine::TickCursor l2Ticks_, dramTicks_;
  std::unique_ptr<PartitionModel> partition_;
  std::vector<Stage> stages_;  // from the partition to the channel
  std::unique_ptr<DramModel> dram_;
  RingQueue<Returning> returning_;
  std::vector<PartitionPort*> ports_;
  PartnerLink partner_;
};

}  // namespace warpwright::mem
