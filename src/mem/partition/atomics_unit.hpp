// Performs the read-modify-write operations of atomics, one request after another.
#pragma once

#include <vector>

#include "base/ring_queue.hpp"
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
  AtomicsUnit(u32 operationsPerTick, u32 capacity) : rate_(operationsPerTick), working_(capacity), done_(capacity) {}

  bool canAccept() const { return working_.size() + done_.size() < done_.capacity(); }
  u32 capacity() const { return done_.capacity(); }
  // The line is there. Takes operations / rate ticks, rounded up and at least one, from when those before it are done.
  void accept(const Request& response, L2Tick now);

  // Appends what took effect; whether anything did.
  bool tick(L2Tick now, std::vector<PerformedAtomic>& performed);
  L2Tick nextUseful() const { return working_.nextReady(); }

  const Request* peek() const { return done_.empty() ? nullptr : &done_.front(); }
  Request take();
  u32 size() const { return working_.size() + done_.size(); }
  bool empty() const { return working_.empty() && done_.empty(); }
  // Ticks of work accepted so far.
  u64 workTicks() const { return workTicks_; }

 private:
  u32 rate_;
  L2Tick freeAt_{};
  u64 workTicks_ = 0;
  DelayQueue<Request, L2Clock> working_;
  RingQueue<Request> done_;
};

}  // namespace warpwright::mem
