// When ranks are due for a refresh.
#pragma once

#include <vector>

#include "base/time.hpp"
#include "config/dram.hpp"

namespace warpwright::mem::dram {

// Every rank gets one refresh each tREFI ticks, the ranks' turns spread evenly over that time. A rank that is due serves no accesses until
// its banks are closed and the refresh is issued.
class Refresh {
 public:
  explicit Refresh(const config::Dram& dram);

  bool isDue(u32 rank, DramTick now) const { return due_[rank] <= now; }
  // The first tick after `now` in which a further rank becomes due.
  DramTick nextDue(DramTick now) const;
  void refreshed(u32 rank) { due_[rank] += interval_; }

 private:
  u64 interval_;
  std::vector<DramTick> due_;
};

}  // namespace warpwright::mem::dram
