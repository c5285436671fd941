// The instructions that bring units back into registers.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "compiler/registers/spill.hpp"

namespace warpwright::compiler {

class Reloads {
 public:
  // Predicates: gives each of them a word to be held in.
  Reloads(MachineFunction& function, UnitClass unitClass);

  // recipe: per unit, the instruction to repeat, kNone where there is none; canRepeat: whether an instruction can be repeated here.
  // Neighbouring words of an aligned group share a 64-bit reload.
  std::vector<MachineInstruction> make(std::vector<u32> units, std::span<const u32> recipe, const std::function<bool(u32)>& canRepeat,
                                       const MachineInstruction& neighbour) const;

 private:
  bool asksForAll(u32 position, std::span<const u32> units) const;
  MachineInstruction load(u32 unit, u32 words, const MachineInstruction& neighbour) const;
  MachineInstruction restore(u32 unit, const MachineInstruction& neighbour) const;

  MachineFunction& function_;
  UnitClass unitClass_;
};

}  // namespace warpwright::compiler
