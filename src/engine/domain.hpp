// A part of the machine that is simulated on its own for a quantum: an SM, the memory side.
#pragma once

#include "base/time.hpp"

namespace warpwright::engine {

class Domain {
 public:
  virtual ~Domain() = default;
  // Simulates the core cycles from `from` up to, not including, `until`. The time between the last run and `from` was idle: nextUseful()
  // was not before `from`.
  virtual void run(Cycle from, Cycle until) = 0;
  // The earliest cycle at which the domain has something to do; kNever: not before something arrives. Asked between quanta.
  virtual Cycle nextUseful() const = 0;
};

}  // namespace warpwright::engine
