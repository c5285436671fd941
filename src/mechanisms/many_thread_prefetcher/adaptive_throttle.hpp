// How many prefetches are sent, by what became of earlier ones (Lee and others, MICRO 2010, section 5).
#pragma once

#include <algorithm>

#include "base/time.hpp"
#include "mem/cache/statistics.hpp"

namespace warpwright::mechanisms::many_thread_prefetcher {

struct ThrottleSettings {
  bool isOn = true;
  u64 period = 100'000;  // cycles
  u32 firstDegree = 2;
  double earlyHigh = 0.02, earlyLow = 0.01;  // lines that left unused, for each that was used
  double mergeHigh = 0.15;                   // share of the requests that missed
};

class AdaptiveThrottle {
 public:
  static constexpr u32 kMostDegree = 5;  // nothing is sent

  explicit AdaptiveThrottle(const ThrottleSettings& settings)
      : settings_(settings), degree_(settings.isOn ? settings.firstDegree : 0), end_{settings.period} {}

  // Before the prefetches of an access: periods are looked at when there is one.
  void observe(const mem::CacheStats& cache, Cycle now) {
    if (!settings_.isOn || now < end_) return;
    end_ = now + settings_.period;
    const Counts counts = countsOf(cache);
    judge(counts.minus(last_));
    last_ = counts;
  }
  // Of each five predictions, as many as the degree says are dropped.
  bool drops() {
    turn_ = (turn_ + 1) % kMostDegree;
    return turn_ < degree_;
  }
  u32 degree() const { return degree_; }

 private:
  struct Counts {
    u64 unused = 0, useful = 0, merges = 0, requests = 0;
    Counts minus(const Counts& other) const {
      return {unused - other.unused, useful - other.useful, merges - other.merges, requests - other.requests};
    }
  };

  static Counts countsOf(const mem::CacheStats& cache) {
    const u64 merges = cache.merges.total();
    return {cache.prefetched.unused, cache.prefetched.used + cache.prefetched.late, merges, cache.misses.total() + merges};
  }
  static double share(u64 part, u64 whole) { return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole); }

  // Without a line that was used, one that was not is early without a limit.
  void judge(const Counts& counts) {
    const double early = counts.useful == 0 && counts.unused != 0 ? 1 : share(counts.unused, counts.useful);
    mergeRatio_ = (mergeRatio_ + share(counts.merges, counts.requests)) / 2;
    if (early > settings_.earlyHigh) {
      degree_ = kMostDegree;
    } else if (early > settings_.earlyLow || mergeRatio_ <= settings_.mergeHigh) {
      degree_ = std::min(degree_ + 1, kMostDegree);
    } else if (degree_ != 0) {
      --degree_;
    }
  }

  const ThrottleSettings settings_;
  u32 degree_, turn_ = 0;
  Cycle end_;
  Counts last_;
  double mergeRatio_ = 0;
};

}  // namespace warpwright::mechanisms::many_thread_prefetcher
