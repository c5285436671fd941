// How fast a launch that keeps the machine full gets on: when as many of its blocks had ended as are resident, twice as many, and so on.
#pragma once

#include <vector>

#include "base/time.hpp"

namespace warpwright::machines {

struct Fill {
  Cycle time{};
  u64 ended = 0;  // blocks so far
};

class FillTimes {
 public:
  // ended: blocks so far, not 0; dispatched: more than that, as blocks wait for their turn. True when the machine has been filled once
  // more.
  bool note(u64 ended, u64 dispatched, Cycle now);
  const std::vector<Fill>& all() const { return fills_; }

 private:
  std::vector<Fill> fills_;
  u64 resident_ = 0;  // blocks, when the first ended
};

}  // namespace warpwright::machines
