#include "machines/fill_times.hpp"

namespace warpwright::machines {

void FillTimes::note(u64 ended, u64 dispatched, Cycle now) {
  if (resident_ == 0) resident_ = dispatched;
  const u64 noted = fills_.empty() ? 0 : fills_.back().ended;
  if (ended / resident_ > noted / resident_) fills_.push_back({now, ended});
}

FullMachine FillTimes::steady() const {
  if (fills_.size() < 2) return {0, 0, resident_};
  const Fill& first = fills_[(fills_.size() - 1) / 2];
  const Fill& last = fills_.back();
  return {last.time - first.time, last.ended - first.ended, resident_};
}

}  // namespace warpwright::machines
