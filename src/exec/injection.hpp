// Faults injected into what a grid computes: which, and what came of it. The place of a fault is a count of a warp's own events, so that it
// is the same in every order of execution: at any number of threads, and each time.
#pragma once

#include <compare>
#include <string_view>
#include <vector>

#include "base/types.hpp"

namespace warpwright::exec {

// What a bit is flipped in.
enum class InjectionTarget : u8 {
  result,  // what an instruction has just written to registers or predicates
  reg,     // a register of a thread, whatever it holds
  shared,  // a byte of the block's shared memory
  global,  // a byte of what is allocated in global memory
};
inline constexpr u32 kInjectionTargets = 4;
inline constexpr std::string_view kInjectionTargetNames[kInjectionTargets] = {"result", "register", "shared", "global"};

// The event of a warp at which a fault happens: of results the n-th instruction that has written, of all else the n-th that issues.
struct InjectionPoint {
  u64 launch = 0, block = 0;
  u32 warp = 0;
  InjectionTarget target = InjectionTarget::result;
  u64 event = 0;  // from 0
  auto operator<=>(const InjectionPoint&) const = default;
};

struct InjectionCandidate {
  double rate = 0;  // from which on a fault happens there
  InjectionPoint at;
  auto operator<=>(const InjectionCandidate&) const = default;
};

struct InjectionPlan {
  u64 seed = 1;
  u8 targets = 1 << static_cast<u8>(InjectionTarget::result);  // bit per InjectionTarget
  double rate = 0;                                             // faults of each target, for each instruction of a thread
  std::vector<InjectionPoint> at;                              // faults there, whatever the rate; sorted
  u64 choose = 0;  // as many candidates are chosen, each instruction of a thread as likely as any, and nothing is injected

  bool has(InjectionTarget target) const { return (targets >> static_cast<u8>(target) & 1) != 0; }
};

struct InjectedFault {
  InjectionPoint at;
  Pc pc;           // of the instruction at which it happened
  u32 thread = 0;  // in the block; of registers and results
  bool isPredicate = false;
  u64 place = 0;  // register or predicate; offset in shared memory; global address
  u32 bit = 0;    // of the register, or of the byte
  auto operator<=>(const InjectedFault&) const = default;
};

// Of a launch, or a part of it.
struct InjectionResult {
  std::vector<InjectedFault> faults;
  std::vector<InjectionCandidate> candidates;
};

}  // namespace warpwright::exec
