// A memory partition as a memory agent: from the request network through an L2 slice, and the last-level cache if there is one, to the DRAM
// channel, and back. Its lower side is the DRAM's: takeMiss() gives what the channel is to do, fill() takes the channel's responses.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "mem/partition/address_map.hpp"
#include "mem/partition/crossing_meter.hpp"
#include "mem/partition/model.hpp"
#include "mem/partition/slice.hpp"

namespace warpwright::mem {

class Partition final : public PartitionModel {
 public:
  // A cache of 0 bytes is left out. Configurations are valid (config/rules.hpp). The map outlives the partition. skip, placement: see
  // Slice. number: which of the map's it is; matters only where they lie in two halves.
  Partition(const config::Partition& config, const config::Cache& l2, const config::Cache& lastLevel, const AddressMap& map,
            bool skip = true, const PlacementPart& placement = PlacementPart(kPlacementOfL2), PartitionId number = PartitionId{0});

  bool canAccept(const Request& request) const override { return slices_[map_->slice(request.address)].canAccept(request); }
  void accept(const Request& request, L2Tick now) override;
  // The slices of a port take turns.
  u32 ports() const override { return networkPorts() + (hasPartner_ ? 1 : 0); }
  const Request* peekResponse(u32 port) const override;
  Request takeResponse(u32 port) override;

  const Request* peekMiss() const override { return toDram_.empty() ? nullptr : &toDram_.front(); }
  Request takeMiss() override;
  bool canFill(const Request&) const override { return !fromDram_.full(); }
  void fill(const Request& response, L2Tick now) override;

  const Request* peekFarMiss() const override { return toPartner_.empty() ? nullptr : &toPartner_.front(); }
  Request takeFarMiss() override;
  bool canFillFromAfar(const Request& response, L2Tick now) const override {
    return fromPartner_.isFree(now) && slices_[map_->slice(response.address)].canFill(response);
  }
  void fillFromAfar(const Request& response, L2Tick now) override;

  bool tick(L2Tick now) override;
  L2Tick nextUseful(L2Tick now) const override;
  bool quiescent() const override;

  void place(GlobalAddress address, u32 sectors, L2Tick now) override;
  void touch(const TouchedLine& touched, L2Tick now) override;

  // Begins to write every dirty line to DRAM: first those of L2, then those of the last level.
  void flush();

  std::span<const PerformedAtomic> performed() const override { return performed_; }
  void clearPerformed() override { performed_.clear(); }

  PartitionStats statistics(L2Tick until) override;
  std::vector<SliceLoad> sliceLoads(L2Tick until) override;
  void countByOrigin() override;
  void forEachTable(const VisitTable& visit) override;

 private:
  using LastLevel = Cache<L2Clock>;

  bool moveFills(L2Tick now);
  bool moveFromLastLevel(L2Tick now);
  bool moveMisses(L2Tick now);
  bool movePartnerMisses();
  bool moveToDram();
  bool continueFlush();
  bool fillSlice(const Request& response, L2Tick now);
  bool goesDown(const Request& miss, bool isFar) const;
  void sendDown(Request miss, bool isFar, L2Tick now);
  bool isFar(const Request& miss) const { return hasPartner_ && map_->partition(miss.address) != number_; }
  u32 networkPorts() const { return static_cast<u32>(firstOutput_.size()); }
  Request takeForPartner();
  // Slices take turns.
  std::size_t behind(std::size_t slice) const { return slice + 1 == slices_.size() ? 0 : slice + 1; }
  std::size_t behindAtPort(std::size_t slice) const {
    return slice + networkPorts() < slices_.size() ? slice + networkPorts() : slice % networkPorts();
  }
  std::size_t nextOutput(u32 port) const;
  std::size_t nextForPartner() const;

  const AddressMap* map_;
  PartitionId number_;
  bool hasPartner_;  // in the other half of the chip
  CrossingMeter fromPartner_;
  std::vector<Slice> slices_;
  std::optional<LastLevel> lastLevel_;
  RingQueue<Request> toDram_, fromDram_, toPartner_;
  QueueMeter<L2Clock> waitingForDram_, waitingForFill_;
  std::vector<std::size_t> firstOutput_;  // by port: whose turn it is
  std::size_t firstMiss_ = 0;             // the same, of the way down
  std::size_t firstForPartner_ = 0;       // and of that to the partner
  bool changed_ = false;                  // in the last tick, or since
  bool flushesLastLevel_ = false;         // once the slices have flushed
  std::vector<PerformedAtomic> performed_;
  PartitionStats stats_;  // without those that the parts keep
};

}  // namespace warpwright::mem
