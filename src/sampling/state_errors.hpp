// What it matters that a launch begins behind others which were executed and not timed, so that the machine was told what they had touched:
// some launches are timed both ways.
#pragma once

#include <vector>

#include "stats/estimate.hpp"

namespace warpwright::sampling {

// What a timed launch found: what the launch before it left in the machine, or what the machine was told of it.
enum class Begin : u8 { behindTimed, recalled };

class StateErrors {
 public:
  // A launch was timed as a recalled one.
  void add() { ++recalled_; }
  // Whether the next launch behind a timed one shall be timed both ways: two, so that their spread is seen, with the first launch that is
  // recalled, and one more with the fourth, eighth, sixteenth ….
  bool isDue() const;
  // One was, and took so many cycles.
  void checked(double recalled, double behindTimed);
  // What has to be added to so many cycles, counted of recalled launches, for those that the launches would have taken; it may be less than
  // nothing. A launch that was timed both ways knows on the one hand only what the machine was told, where others are on the machine that
  // timed launches have used: theirs is somewhere between nothing and as much as its. The middle is taken, and the variance of a uniform
  // distribution. Of fewer than two such launches nothing is known, and nothing is counted.
  stats::Estimate errorOf(double cycles) const;

 private:
  u64 recalled_ = 0;
  std::vector<stats::Measurement> measured_;  // size: cycles of the recalled one; value: how many more behind a timed one
};

}  // namespace warpwright::sampling
