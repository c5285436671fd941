#include "machines/fill_times.hpp"

namespace warpwright::machines {

bool FillTimes::note(u64 ended, u64 dispatched, Cycle now) {
  if (resident_ == 0) resident_ = dispatched;
  if (endings_.empty() || endings_.back().ended != ended) endings_.push_back({now, ended});
  while (endings_.size() > 1 && endings_[1].ended + resident_ <= ended) endings_.pop_front();
  const u64 noted = fills_.empty() ? 0 : fills_.back().ended;
  if (ended / resident_ <= noted / resident_) return false;
  fills_.push_back({now, ended});
  return true;
}

}  // namespace warpwright::machines
