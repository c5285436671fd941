#include "mem/dram/refresh.hpp"

#include <algorithm>

namespace warpwright::mem::dram {

namespace {
constexpr u64 kNeverDue = ~u64{0};
}

Refresh::Refresh(const config::Dram& dram) : interval_(dram.tREFI), due_(dram.ranks, kNeverDue) {
  if (interval_ == 0) return;
  for (u32 rank = 0; rank < dram.ranks; ++rank) due_[rank] = interval_ * (rank + 1) / dram.ranks;
}

u64 Refresh::nextDue(u64 now) const {
  u64 next = kNeverDue;
  for (const u64 due : due_) {
    if (due > now) next = std::min(next, due);
  }
  return next;
}

}  // namespace warpwright::mem::dram
