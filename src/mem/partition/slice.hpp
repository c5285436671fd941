// One L2 slice with what belongs to it: the way in, the cache, the atomics unit, the way out. Without a cache requests pass to what lies
// below.
#pragma once

#include <optional>

#include "config/partition.hpp"
#include "mem/cache/cache.hpp"
#include "mem/partition/atomics_unit.hpp"
#include "mem/partition/statistics.hpp"
#include "mem/queue_meter.hpp"

namespace warpwright::mem {

// What happens to an atomic whose line this slice got from below.
enum class AtomicResult : u8 {
  staysInCache,  // a cache of the partition holds the line, dirty
  goesBelow,     // no cache: written to DRAM
};

class Slice {
 public:
  // skip: a tick in which nothing can change returns at once. placement: where the cache's lines lie; what makes nothing leaves that to it.
  Slice(const config::Partition& config, const config::Cache& l2, Interleave share, AtomicResult result, bool skip,
        const PlacementPart& placement);

  bool canAccept() const { return !input_.full(); }
  void accept(const Request& request, L2Tick now);
  const Request* peekResponse() const { return output_.empty() ? nullptr : &output_.front(); }
  Request takeResponse();

  const Request* peekMiss() const;
  Request takeMiss();
  bool canFill(const Request& response) const;
  void fill(const Request& response, L2Tick now);

  bool tick(L2Tick now, PartitionStats& stats, std::vector<PerformedAtomic>& performed);
  L2Tick nextUseful() const { return wake_; }
  bool quiescent() const;

  // See Cache. False: there is no cache, either.
  bool place(GlobalAddress address, u32 sectors, L2Tick now);
  bool touch(const TouchedLine& touched, L2Tick now);

  void flush();

  // Null without a cache.
  Cache<L2Clock>* cache() { return cache_ ? &*cache_ : nullptr; }
  // Counted up to, not including, that tick.
  void addQueues(PartitionStats& stats, L2Tick until) const;
  u64 atomicTicks() const { return atomics_.workTicks(); }

 private:
  L2Tick partsUseful(L2Tick now) const;
  bool canLeaveInput(const Request& request) const;
  bool moveInput(L2Tick now, PartitionStats& stats);
  bool moveResponses(L2Tick now, PartitionStats& stats);
  bool finishAtomics();
  const Request* peekArrived() const;
  void dropArrived();

  u32 latency_, responsesPerTick_;
  AtomicResult result_;
  bool skip_;
  DelayQueue<Request, L2Clock> input_;
  std::unique_ptr<LinePlacement> placement_;  // null: the cache's own
  std::optional<Cache<L2Clock>> cache_;
  RingQueue<Request> below_, arrived_;  // without a cache: requests down, responses up
  AtomicsUnit atomics_;
  u32 atomicsBelow_ = 0;  // without a cache: sent down and not yet performed
  RingQueue<Request> output_;
  QueueMeter<L2Clock> waitingBelow_, waitingAbove_, waitingForAtomics_, waitingForOutput_;
  L2Tick wake_{};  // ticks before it change nothing
};

}  // namespace warpwright::mem
