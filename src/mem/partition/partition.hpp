// A memory partition as a memory agent: from the request network through an L2 slice, and the last-level cache if there is one, to the DRAM
// channel, and back. Its lower side is the DRAM's: takeMiss() gives what the channel is to do, fill() takes the channel's responses.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "mem/partition/address_map.hpp"
#include "mem/partition/slice.hpp"

namespace warpwright::mem {

class Partition {
 public:
  // A cache of 0 bytes is left out. Configurations are valid (validatePartition()). The map outlives the partition. skip: see
  // Slice.
  Partition(const config::Partition& config, const config::Cache& l2, const config::Cache& lastLevel, const AddressMap& map,
            bool skip = true);

  bool canAccept(const Request& request) const { return slices_[map_->slice(request.address)].canAccept(); }
  void accept(const Request& request, L2Tick now);
  // Ports of the networks, 0 … ports() - 1. The slices of a port take turns.
  u32 ports() const { return static_cast<u32>(firstOutput_.size()); }
  const Request* peekResponse(u32 port) const;
  Request takeResponse(u32 port);

  const Request* peekMiss() const { return toDram_.empty() ? nullptr : &toDram_.front(); }
  Request takeMiss();
  bool canFill(const Request&) const { return !fromDram_.full(); }
  void fill(const Request& response, L2Tick now);

  bool tick(L2Tick now);
  L2Tick nextUseful(L2Tick now) const;
  bool quiescent() const;

  // Sectors of a line are in the L2 slice, and clean: something other than an SM has put them there.
  void place(u64 address, u32 sectors, L2Tick now);

  // Begins to write every dirty line to DRAM: first those of L2, then those of the last level.
  void flush();

  // Atomics that took effect since the last clearPerformed(), in order.
  std::span<const PerformedAtomic> performed() const { return performed_; }
  void clearPerformed() { performed_.clear(); }

  // Counted up to, not including, tick `until`.
  PartitionStats statistics(L2Tick until);
  // The L2 slices' caches, and that below them; visit(cache, whether it is the last level's).
  template <class Visit>
  void forEachCache(Visit visit) {
    for (Slice& slice : slices_) {
      if (slice.cache()) visit(*slice.cache(), false);
    }
    if (lastLevel_) visit(*lastLevel_, true);
  }

 private:
  using LastLevel = Cache<L2Clock>;

  bool moveFills(u64 now);
  bool moveFromLastLevel(u64 now);
  bool moveMisses(u64 now);
  bool moveToDram();
  bool continueFlush();
  bool fillSlice(const Request& response, u64 now);
  // Slices take turns.
  std::size_t behind(std::size_t slice) const { return slice + 1 == slices_.size() ? 0 : slice + 1; }
  std::size_t behindAtPort(std::size_t slice) const { return slice + ports() < slices_.size() ? slice + ports() : slice % ports(); }
  std::size_t nextOutput(u32 port) const;

  const AddressMap* map_;
  std::vector<Slice> slices_;
  std::optional<LastLevel> lastLevel_;
  RingQueue<Request> toDram_, fromDram_;
  QueueMeter waitingForDram_, waitingForFill_;
  std::vector<std::size_t> firstOutput_;  // by port: whose turn it is
  std::size_t firstMiss_ = 0;             // the same, of the way down
  bool changed_ = false;                  // in the last tick, or since
  bool flushesLastLevel_ = false;         // once the slices have flushed
  std::vector<PerformedAtomic> performed_;
  PartitionStats stats_;  // without those that the parts keep
};

// Throws Error naming the keys of sections "partition", "l2", "llc" and "dram" when the partition cannot be built.
void validatePartition(const config::Partition& config, const config::Cache& l2, const config::Cache& lastLevel, u64 interleaveBytes);

}  // namespace warpwright::mem
