// What hardware prefetchers of the first-level data cache share: they see the loads of warps from global memory when they issue, and ask
// for lines behind the program's own accesses.
#pragma once

#include <optional>
#include <string>

#include "base/ring_queue.hpp"
#include "config/machine.hpp"
#include "sm/access/stage.hpp"
#include "stats/conservation.hpp"
#include "stats/statistics.hpp"

namespace warpwright::mechanisms {

// What becomes of a line in the cache is counted there (mem::PrefetchStats).
struct PrefetchCounts {
  u64 loads = 0, predicted = 0, lines = 0, there = 0, refused = 0, sent = 0;

  static constexpr void fields(auto&& field) {
    using S = PrefetchCounts;
    field("loads", "instructions", "of warps, from global memory, that the prefetcher has seen", &S::loads);
    field("predicted", "predictions", "of the addresses of a later load", &S::predicted);
    field("lines", "lines", "of the predictions; the next three add up to them when none waits", &S::lines);
    field("there", "lines", "that the cache had or had asked for, or that waited already", &S::there);
    field("refused", "lines", "for which the queue had no room, or that waited when a launch ended", &S::refused);
    field("sent", "lines", "asked of the cache", &S::sent);
  }
  bool operator==(const PrefetchCounts&) const = default;
};

inline void check(const PrefetchCounts& counts, stats::Conservation& laws) {
  laws.equal("prefetcher: lines there, refused and sent = lines", counts.there + counts.refused + counts.sent, counts.lines);
}

// Whether a field of so many bits, one of them for the sign, holds the stride.
constexpr bool fitsBits(s64 stride, u32 bits) { return stride >> (bits - 1) == 0 || stride >> (bits - 1) == -1; }

class PrefetchingStage : public sm::LaneStage {
 public:
  // queue: lines that may wait for the cache.
  PrefetchingStage(u32 queue, const config::Machine& machine, const sm::StageContext& context, PrefetchCounts& counts)
      : machine_(machine), cache_(context.cache), below_(context.below), queue_(queue), counts_(counts) {}

  void access(sm::LaneAccess& access, sm::MemoryOperation& operation, Cycle now) final;
  // A machine whose prefetcher sends nothing is the baseline, to the cycle.
  bool isTimed() const final { return false; }

  // A line a cycle.
  bool tick(Cycle now) final;
  Cycle nextUseful(Cycle now) const final { return queue_.empty() ? kNever : now + 1; }
  bool quiescent() const final { return queue_.empty(); }
  void invalidate() final;

 protected:
  // A load whose first lane asks for `address`.
  virtual void train(const sm::LaneAccess& load, u64 address, Cycle now) = 0;
  virtual void forget() = 0;

  // For the lines of the load as they would be so many bytes further on.
  void prefetch(const sm::LaneAccess& load, s64 distance);
  const mem::CacheStats& cacheStatistics() const { return cache_.statistics(); }

 private:
  struct Wanted {
    GlobalAddress line;
    mem::Origin origin;  // the load that made it so
  };

  void want(GlobalAddress line, const mem::Origin& origin);
  bool waits(GlobalAddress line) const;
  u32 lineBytes() const { return machine_.l1d.lineBytes; }

  const config::Machine& machine_;
  const sm::L1Cache& cache_;
  sm::StagesBelow& below_;
  RingQueue<Wanted> queue_;
  PrefetchCounts& counts_;
};

// What makes a machine one without lines to prefetch.
std::optional<std::string> prefetchingProblem(const config::Machine& machine);

}  // namespace warpwright::mechanisms
