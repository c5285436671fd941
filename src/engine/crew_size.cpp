#include "engine/crew_size.hpp"

#include <algorithm>

namespace warpwright::engine {
namespace {

// A time slice or two of a host's scheduler: in less, a thread that has just slept gets a processor before others, whatever the load.
constexpr CrewSize::Time kTurn{0.005};
// What is tried, in all turns of a comparison.
constexpr CrewSize::Time kTrial{0.03};
// Trials take this share of the time at most, however slow what is tried.
constexpr u32 kTimesRarer = 32;
// More helpers take processors from others: they stay only where they take a part of the time that is not chance.
constexpr double kClearly = 0.95;

}  // namespace

void CrewSize::worked(u64 parts, Time time) {
  left_ -= time;
  if (stretch_ != Stretch::held) {
    Tally& tally = stretch_ == Stretch::trial ? trial_ : usual_;
    tally.parts += parts;
    tally.time += time;
  }
  if (left_ > Time{}) return;
  switch (stretch_) {
    case Stretch::held:
      return beginComparison();
    case Stretch::usual:
      return beginTurn(Stretch::trial);
    case Stretch::trial:
      if (trial_.time < kTrial) return beginTurn(Stretch::usual);
      return endComparison();
  }
}

void CrewSize::beginComparison() {
  usual_ = trial_ = {};
  tried_ = nextTrial();
  beginTurn(Stretch::usual);
}

void CrewSize::beginTurn(Stretch stretch) {
  stretch_ = stretch;
  left_ = kTurn;
}

void CrewSize::endComparison() {
  const bool more = tried_ > kept_;
  const Time fewerCost = more ? usual_.cost() : trial_.cost();
  const Time moreCost = more ? trial_.cost() : usual_.cost();
  if ((moreCost < kClearly * fewerCost) == more) {
    kept_ = tried_;
    return beginComparison();
  }
  triesMore_ = !triesMore_;
  stretch_ = Stretch::held;
  left_ = kTimesRarer * trial_.time;
}

// Half as many, or twice as many and one: on in the same direction where that was right, else in the other.
u32 CrewSize::nextTrial() {
  if (kept_ == 0) triesMore_ = true;
  if (kept_ == most_) triesMore_ = false;
  return triesMore_ ? std::min(most_, 2 * kept_ + 1) : kept_ / 2;
}

}  // namespace warpwright::engine
