// What the partner of an L2 slice, in the other half of the chip, reads of it: beside the cache, which it looks into, so that no such read
// ever waits for what the slice itself has asked of that partner.
//
// A line that is there answers at once; one that the cache is fetching is waited for, as it comes from DRAM; any other is read from DRAM,
// and kept in the cache if there is a place for it.
#pragma once

#include <vector>

#include "base/ring_queue.hpp"
#include "mem/cache/cache.hpp"

namespace warpwright::mem {

class PartnerReads {
 public:
  // most: reads that the partner can have under way.
  explicit PartnerReads(u32 most);

  void accept(const Request& request) { arrived_.push(request); }
  // Looks one up, and those that wait. False: nothing changed.
  bool tick(Cache<L2Clock>& cache);
  // DRAM answers.
  void fill(const Request& response, Cache<L2Clock>& cache, L2Tick now);

  // For DRAM, and for the partner.
  RingQueue<Request>& misses() { return misses_; }
  RingQueue<Request>& answers() { return answers_; }
  const RingQueue<Request>& misses() const { return misses_; }
  const RingQueue<Request>& answers() const { return answers_; }
  bool quiescent() const { return underWay_ == 0 && arrived_.empty() && waiting_.empty() && answers_.empty(); }

 private:
  bool lookUp(const Request& request, Cache<L2Clock>& cache);

  RingQueue<Request> arrived_, misses_, answers_;
  std::vector<Request> waiting_;  // for lines that the cache is fetching
  u32 underWay_ = 0;              // to DRAM
};

}  // namespace warpwright::mem
