// How fast a launch that keeps the machine full gets on: when as many of its blocks had ended as are resident, twice as many, and so on.
#pragma once

#include <vector>

#include "base/time.hpp"

namespace warpwright::machines {

// What happened in a time in which a launch kept the machine full.
struct FullMachine {
  u64 cycles = 0;
  u64 ended = 0;     // blocks
  u64 resident = 0;  // blocks, when the first ended
};

class FillTimes {
 public:
  // ended: blocks so far, not 0; dispatched: more than that, as blocks wait for their turn.
  void note(u64 ended, u64 dispatched, Cycle now);
  // The later half of the fills. Blocks that begin together stay in step at first and reach memory in bursts, which takes longer.
  FullMachine steady() const;

 private:
  struct Fill {
    Cycle time{};
    u64 ended = 0;
  };
  std::vector<Fill> fills_;
  u64 resident_ = 0;
};

}  // namespace warpwright::machines
