// Which units (32-bit words of registers, predicates) hold a value that may still be read, per lane.
#pragma once

#include <set>
#include <utility>

#include "compiler/control_flow.hpp"
#include "compiler/number_set.hpp"

namespace warpwright::compiler {

// A unit is live at a point when some path from there reads it before it is written, and some path to there has written it. The second
// half matters for guarded writes: they keep the old value in the lanes they skip, but where there is none nothing has to be kept.
class Liveness {
 public:
  Liveness(const MachineFunction& function, const ControlFlow& flow);

  const NumberSet& liveIn(u32 block) const { return liveIn_[block]; }
  const NumberSet& liveOut(u32 block) const { return liveOut_[block]; }
  // The instruction's destinations hold nothing of their former value afterwards.
  bool overwrites(u32 position) const { return overwrites_[position]; }

  // Calls visit(position, live after it) for a block's instructions, last to first.
  template <class Visitor>
  void walkBackward(u32 block, Visitor&& visit) const {
    NumberSet live = liveOut_[block];
    for (u32 i = flow_.blocks[block].end; i-- > flow_.blocks[block].begin;) {
      visit(i, live);
      step(i, live);
    }
  }

 private:
  void findDefined();
  void findLive();
  void step(u32 position, NumberSet& live) const;

  const MachineFunction& function_;
  const ControlFlow& flow_;
  std::vector<NumberSet> definedIn_, definedOut_, liveIn_, liveOut_;
  std::vector<bool> overwrites_;
  std::set<std::pair<u32, u32>> undefinedReads_;  // position and unit: no path to there writes it
};

}  // namespace warpwright::compiler
