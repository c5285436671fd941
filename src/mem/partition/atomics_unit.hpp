// Performs the read-modify-write operations of atomics, one request after another.
#pragma once

#include <vector>

#include "base/ring_queue.hpp"
#include "config/partition.hpp"
#include "mem/delay_queue.hpp"
#include "mem/request.hpp"

namespace warpwright::mem {

// An atomic took effect: the simulation applies the operations of this request to the memory's values, in the order of these records.
struct PerformedAtomic {
  L2Tick time;
  SmId sm;
  u32 id = 0;
  bool operator==(const PerformedAtomic&) const = default;
};

class AtomicsUnit {
 public:
  explicit AtomicsUnit(const config::Partition& config);

  bool canAccept() const { return working_.size() + done_.size() < done_.capacity(); }
  u32 capacity() const { return done_.capacity(); }
  // The line is there. Takes its time from when those before it are done.
  void accept(const Request& response, L2Tick now);

  // Appends what took effect; whether anything did.
  bool tick(L2Tick now, std::vector<PerformedAtomic>& performed);
  L2Tick nextUseful() const { return working_.nextReady(); }

  const Request* peek() const { return done_.empty() ? nullptr : &done_.front(); }
  Request take();
  u32 size() const { return working_.size() + done_.size(); }
  bool empty() const { return working_.empty() && done_.empty(); }
  // Ticks of work accepted so far.
  u64 workTicks() const { return work_ / kThousand; }

 private:
  static constexpr u64 kThousand = 1000;  // parts of a tick, in which the unit's own times count

  u64 timeOf(const Request& response) const;

  u32 rate_, sectorTime_, repeatTime_, repeatLatency_;
  u64 freeAt_ = 0, work_ = 0;  // in parts of a tick
  L2Tick lastReady_{};         // results come in the order of the requests
  DelayQueue<Request, L2Clock> working_;
  RingQueue<Request> done_;
};

}  // namespace warpwright::mem
