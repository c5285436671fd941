// How fast a launch that keeps the machine full gets on: when as many of its blocks had ended as are resident, twice as many, and so on.
#pragma once

#include <deque>
#include <vector>

#include "base/time.hpp"

namespace warpwright::machines {

struct Fill {
  Cycle time{};
  u64 ended = 0;  // blocks so far
};

class FillTimes {
 public:
  // resident: blocks of a fill; 0: as many as have been dispatched when the first ends.
  explicit FillTimes(u64 resident = 0) : resident_(resident) {}
  // ended: blocks so far, not 0; dispatched: more than that, as blocks wait for their turn. True when the machine has been filled once
  // more.
  bool note(u64 ended, u64 dispatched, Cycle now);
  const std::vector<Fill>& all() const { return fills_; }
  // How many had ended by when, of the last fill: behind the first, which is before it or at its beginning, those at which blocks ended.
  const std::deque<Fill>& endings() const { return endings_; }

 private:
  std::vector<Fill> fills_;
  std::deque<Fill> endings_;
  u64 resident_;
};

}  // namespace warpwright::machines
