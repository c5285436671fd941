#include "mem/dram/refresh.hpp"

#include <algorithm>

namespace warpwright::mem::dram {

namespace {
constexpr DramTick kNeverDue = kNeverOf<DramClock>;
}

Refresh::Refresh(const config::Dram& dram) : interval_(dram.tREFI), due_(dram.ranks, kNeverDue) {
  if (interval_ == 0) return;
  for (u32 rank = 0; rank < dram.ranks; ++rank) due_[rank] = {interval_ * (rank + 1) / dram.ranks};
}

DramTick Refresh::nextDue(DramTick now) const {
  DramTick next = kNeverDue;
  for (const DramTick due : due_) {
    if (due > now) next = std::min(next, due);
  }
  return next;
}

}  // namespace warpwright::mem::dram
