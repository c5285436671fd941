// Values that are cheaper to compute again than to keep.
#pragma once

#include "compiler/definitions.hpp"

namespace warpwright::compiler {

class Rematerialisation {
 public:
  explicit Rematerialisation(const MachineFunction& function) : function_(function), definitions_(function) {}

  // The instruction that alone computes the unit, if it may be repeated: constants, kernel parameters, addresses of variables, special
  // registers that never change, and integer arithmetic on registers that have one definition. kNone: there is none.
  u32 recipeOf(u32 unit) const;
  // The recipe reads no registers and gives its value anywhere.
  bool isConstant(u32 recipe) const;
  // The recipe gives its value in front of a position where isAtHand(unit) tells which registers still hold what it reads.
  template <class Predicate>
  bool holdsAt(u32 recipe, u32 position, Predicate&& isAtHand) const {
    if (isConstant(recipe)) return true;
    bool possible = definitions_.dominates(recipe, position);
    forEachSourceUnit(function_, function_.code[recipe], [&](u32 unit) { possible = possible && isAtHand(unit); });
    return possible;
  }

 private:
  bool isRepeatable(u32 position) const;

  const MachineFunction& function_;
  Definitions definitions_;
};

}  // namespace warpwright::compiler
