// Where the accesses of one launch should go, instruction by instruction.
#pragma once

#include <vector>

#include "compiler/patterns/launch_pattern.hpp"
#include "exec/launch.hpp"

namespace warpwright::mechanisms::access_patterns {

class Prediction {
 public:
  explicit Prediction(const exec::Launch& launch);

  // By pc; empty: nothing is known of the address, or there is none.
  const std::vector<compiler::LaunchPattern>& at(Pc pc) const { return patterns_[pc]; }

 private:
  std::vector<std::vector<compiler::LaunchPattern>> patterns_;
};

// By how much all iterations of loops have moved a lane's address; nothing where the pattern does not give it. The address is of
// global memory or, with patterns of private memory, in the lane's own.
std::optional<u64> shiftOf(const compiler::LaunchPattern& pattern, u64 address, Dim3 thread, Dim3 block);

}  // namespace warpwright::mechanisms::access_patterns
