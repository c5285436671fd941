// What each instruction of a function means for control bits.
#pragma once

#include <array>
#include <vector>

#include "isa/program.hpp"
#include "isa/result_pipe.hpp"

namespace warpwright::compiler {

// A unit: register r is unit r, predicate p unit kRegisterUnits + p.
inline constexpr u32 kRegisterUnits = 256;
inline constexpr u32 kIssueUnits = kRegisterUnits + isa::kPredicates;

struct IssueEffects {
  isa::Production production = isa::Production::none;
  isa::ResultPipe pipe = isa::ResultPipe::other;
  std::array<u32, isa::kResultPipes>
      latency{};                  // fixed production: from its issue to that of who needs the result, by the pipe of that one
  u32 ownLatency = 0;             // … to those of its own
  std::vector<u32> sources;       // units, the guard's included
  std::vector<u32> destinations;  // units
  u32 guard = kIssueUnits;        // unit; kIssueUnits: nothing guards it
  u32 guardLatency = 0;           // from its issue to that of whom its results guard, where it is longer than latency
  bool isAccess = false;          // to memory
  u32 accessDistance = 0;         // … cycles from its issue to that of the next one
  bool readsLater = false;        // the registers among the sources are read behind the issue, nobody knows when
  bool awaitsAll = false;         // calls, and returns of device functions: nothing may be under way when others go on
  u32 leastDistance = 1;          // cycles to the warp's next issue that pass anyhow
};

// Of the instructions of the function, in code order.
std::vector<IssueEffects> issueEffects(const isa::Program& program, const isa::Function& function, const isa::IssueTiming& timing);

}  // namespace warpwright::compiler
