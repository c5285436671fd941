// How many helpers pay. On a host whose processors are taken by others, threads that need each other at every step may lose more than
// they gain, and how much depends on the load of the moment: so it is measured. Now and then, for a short while, another number of them
// takes turns with the one at hand, so that both see every phase of the program; the quicker one stays.
#pragma once

#include <algorithm>
#include <chrono>

#include "base/types.hpp"

namespace warpwright::engine {

class CrewSize {
 public:
  using Time = std::chrono::duration<double>;  // seconds

  // Of most > 0 helpers, so many are called at first.
  CrewSize(u32 most, u32 first) : most_(most), kept_(std::min(first, most)) {}

  // For the next piece of work.
  u32 helpers() const { return stretch_ == Stretch::trial ? tried_ : kept_; }
  // A piece of work of so many parts took so long.
  void worked(u64 parts, Time time);

 private:
  // Between two comparisons; the turns of a comparison.
  enum class Stretch : u8 { held, usual, trial };
  struct Tally {
    u64 parts = 0;
    Time time{};
    Time cost() const { return time / static_cast<double>(parts); }
  };

  void beginComparison();
  void endComparison();
  void beginTurn(Stretch stretch);
  u32 nextTrial();

  u32 most_, kept_, tried_ = 0;
  bool triesMore_ = false;
  Stretch stretch_ = Stretch::held;
  Time left_{};          // of the turn at hand, or of what is held
  Tally usual_, trial_;  // of the comparison at hand
};

}  // namespace warpwright::engine
