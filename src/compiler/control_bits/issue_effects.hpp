// What each instruction of a function means for control bits.
#pragma once

#include <vector>

#include "isa/program.hpp"

namespace warpwright::compiler {

// A unit: register r is unit r, predicate p unit kRegisterUnits + p.
inline constexpr u32 kRegisterUnits = 256;
inline constexpr u32 kIssueUnits = kRegisterUnits + isa::kPredicates;

struct IssueEffects {
  isa::Production production = isa::Production::none;
  u32 latency = 0;                // fixed production: from its issue to that of who needs the result
  std::vector<u32> sources;       // units, the guard's included
  std::vector<u32> destinations;  // units
  bool readsLater = false;        // the registers among the sources are read behind the issue, nobody knows when
  bool awaitsAll = false;         // calls, and returns of device functions: nothing may be under way when others go on
  u32 leastDistance = 1;          // cycles to the warp's next issue that pass anyhow
};

// Of the instructions of the function, in code order.
std::vector<IssueEffects> issueEffects(const isa::Program& program, const isa::Function& function, const isa::IssueTiming& timing);

}  // namespace warpwright::compiler
