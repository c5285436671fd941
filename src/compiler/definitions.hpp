// For clean-ups on code that is not in static single assignment form: which units have exactly one, unconditional definition, and where
// it holds.
#pragma once

#include <vector>

#include "compiler/control_flow.hpp"

namespace warpwright::compiler {

class Definitions {
 public:
  explicit Definitions(const MachineFunction& function);

  // Position of the only instruction that writes the unit; kNone when there are several or none.
  u32 onlyWriter(u32 unit) const { return writers_[unit] == 1 ? position_[unit] : kNone; }
  // The unit's only writer is executed by every lane that passes it.
  bool isSimple(u32 unit) const;
  // The unit holds at every read that `copy` dominates what it held at `copy`: it is written once, before. (A path from a second
  // execution of that writer to the read would have to pass the copy again.)
  bool isStableFrom(u32 unit, u32 copy) const { return onlyWriter(unit) != kNone && dominates(onlyWriter(unit), copy); }
  bool areInOneBlock(u32 a, u32 b) const { return flow_.blockAt(a) == flow_.blockAt(b); }
  // The instruction at `earlier` has been executed whenever the one at `later` is.
  bool dominates(u32 earlier, u32 later) const;

 private:
  const MachineFunction& function_;
  ControlFlow flow_;
  DominatorTree tree_;
  std::vector<u32> writers_, position_;
};

}  // namespace warpwright::compiler
