// Foresees for how many cycles an instruction will need the banks, beyond one a sub-warp, from what it needed before.
#pragma once

#include <memory>
#include <optional>

#include "mechanisms/conflict_aware/settings.hpp"

namespace warpwright::mechanisms::conflict_aware {

class ConflictPredictor {
 public:
  virtual ~ConflictPredictor() = default;
  // A kernel begins: nothing is known.
  virtual void clear() = 0;
  // Nothing: the instruction is not known.
  virtual std::optional<u32> predict(Pc pc) = 0;
  // The instruction has needed so many.
  virtual void learn(Pc pc, u32 cycles) = 0;
};

// mostCycles: that an entry's bits can say. Not for Predictor::oracle.
std::unique_ptr<ConflictPredictor> makePredictor(const Settings& settings, u32 mostCycles);

}  // namespace warpwright::mechanisms::conflict_aware
