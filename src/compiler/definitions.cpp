#include "compiler/definitions.hpp"

namespace warpwright::compiler {

Definitions::Definitions(const MachineFunction& function)
    : function_(function),
      flow_(buildControlFlow(function)),
      tree_(flow_.successors, 0),
      writers_(function.units()),
      position_(function.units(), kNone) {
  for (u32 i = 0; i < function.code.size(); ++i)
    forEachDestinationUnit(function, function.code[i], [&](u32 unit) {
      ++writers_[unit];
      position_[unit] = i;
    });
  // The stack pointer comes with the call.
  writers_[kStackWord] = 2;
}

bool Definitions::isSimple(u32 unit) const {
  const u32 writer = onlyWriter(unit);
  return writer != kNone && replacesDestinations(function_.code[writer]);
}

bool Definitions::dominates(u32 earlier, u32 later) const {
  const u32 a = flow_.blockAt(earlier), b = flow_.blockAt(later);
  return a == b ? earlier < later : tree_.dominates(a, b);
}

}  // namespace warpwright::compiler
