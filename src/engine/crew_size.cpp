#include "engine/crew_size.hpp"

#include <algorithm>

namespace warpwright::engine {
namespace {

// Some time slices of a host's scheduler: in less, it is chance whether a thread had a processor.
constexpr CrewSize::Time kStretchTime{0.01};
// Trials take this share of the time at most, however slow what is tried.
constexpr u32 kTimesRarer = 32;

}  // namespace

void CrewSize::worked(u64 parts, Time time) {
  parts_ += parts;
  spent_ += time;
  if (spent_ < length_) return;
  const Time cost = spent_ / static_cast<double>(parts_);
  switch (stretch_) {
    case Stretch::held:
      return enter(Stretch::measured, kStretchTime);
    case Stretch::measured:
      measured_ = cost;
      tried_ = nextTrial();
      return enter(Stretch::trial, kStretchTime);
    case Stretch::trial:
      if (cost < measured_) kept_ = tried_;
      return enter(Stretch::held, kTimesRarer * spent_);
  }
}

void CrewSize::enter(Stretch stretch, Time length) {
  stretch_ = stretch;
  length_ = length;
  spent_ = {};
  parts_ = 0;
}

// Half as many, or twice as many and one, by turns.
u32 CrewSize::nextTrial() {
  triesMore_ = !triesMore_;
  const u32 more = std::min(most_, 2 * kept_ + 1);
  if (kept_ == 0 || (triesMore_ && more != kept_)) return more;
  return kept_ / 2;
}

}  // namespace warpwright::engine
