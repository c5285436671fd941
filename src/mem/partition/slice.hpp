// One L2 slice with what belongs to it: the ways in, the cache, the atomics unit, the ways out. Without a cache requests pass to what lies
// below.
//
// Where the chip has two halves, requests come two ways: from SMs of the own half, and writes and atomics of those of the other, which take
// the way between the halves, there and back, at once. What the partner reads goes beside the cache.
#pragma once

#include <array>
#include <optional>

#include "config/partition.hpp"
#include "mem/cache/cache.hpp"
#include "mem/partition/atomics_unit.hpp"
#include "mem/partition/partner_reads.hpp"
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
  // crossing: ticks from one half of the chip to the other and back; nothing where it has none.
  Slice(const config::Partition& config, const config::Cache& l2, Interleave share, AtomicResult result, bool skip,
        const PlacementPart& placement, std::optional<u32> crossing = std::nullopt);

  // The partner's reads always find room.
  bool canAccept(const Request& request) const { return request.isForPartner() || !inputs_[wayOf(request)].full(); }
  // onTheLink: ticks that it comes later for the bytes of the link between the halves.
  void accept(const Request& request, L2Tick now, u64 onTheLink = 0);
  const Request* peekResponse() const { return output_.empty() ? nullptr : &output_.front(); }
  Request takeResponse();
  // What the partner has read, what is to be read of DRAM for it, and what DRAM answers. Null: there is none.
  const Request* peekForPartner() const { return partner_ && !partner_->answers().empty() ? &partner_->answers().front() : nullptr; }
  Request takeForPartner();
  const Request* peekPartnerMiss() const { return partner_ && !partner_->misses().empty() ? &partner_->misses().front() : nullptr; }
  Request takePartnerMiss();
  void fillForPartner(const Request& response, L2Tick now);

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
  enum Way : u32 { kNear, kAcross, kWays };
  static Way wayOf(const Request& request) { return request.crosses ? kAcross : kNear; }
  static Request takeFirst(RingQueue<Request>& queue);

  L2Tick partsUseful(L2Tick now) const;
  bool canLeaveInput(const Request& request) const;
  bool moveInputs(L2Tick now, PartitionStats& stats);
  bool moveInput(DelayQueue<Request, L2Clock>& input, L2Tick now, PartitionStats& stats);
  bool moveResponses(L2Tick now, PartitionStats& stats);
  bool finishAtomics();
  const Request* peekArrived() const;
  void dropArrived();

  std::array<u32, kWays> latency_;  // of each way in
  u32 responsesPerTick_;
  AtomicResult result_;
  bool skip_;
  std::array<DelayQueue<Request, L2Clock>, kWays> inputs_;
  u32 ways_, firstWay_ = 0;                   // that there are; whose turn it is
  std::unique_ptr<LinePlacement> placement_;  // null: the cache's own
  std::optional<Cache<L2Clock>> cache_;
  RingQueue<Request> below_, arrived_;  // without a cache: requests down, responses up
  AtomicsUnit atomics_;
  u32 atomicsBelow_ = 0;  // without a cache: sent down and not yet performed
  RingQueue<Request> output_;
  std::optional<PartnerReads> partner_;  // nothing: the chip has no halves
  QueueMeter<L2Clock> waitingBelow_, waitingAbove_, waitingForAtomics_, waitingForOutput_;
  L2Tick wake_{};  // ticks before it change nothing
};

}  // namespace warpwright::mem
