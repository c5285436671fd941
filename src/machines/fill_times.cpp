#include "machines/fill_times.hpp"

namespace warpwright::machines {

bool FillTimes::note(u64 ended, u64 dispatched, Cycle now) {
  if (resident_ == 0) resident_ = dispatched;
  const u64 noted = fills_.empty() ? 0 : fills_.back().ended;
  if (ended / resident_ <= noted / resident_) return false;
  fills_.push_back({now, ended});
  return true;
}

}  // namespace warpwright::machines
