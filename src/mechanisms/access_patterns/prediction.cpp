#include "mechanisms/access_patterns/prediction.hpp"

#include <numeric>

#include "mechanisms/launch_patterns.hpp"

namespace warpwright::mechanisms::access_patterns {

Prediction::Prediction(const exec::Launch& launch) : patterns_(launch.program->program.code.size()) {
  const compiler::LaunchValues values = launchValues(launch);
  for (Pc pc = launch.kernel->begin; pc < launch.kernel->end; ++pc) {
    const compiler::AccessPattern* pattern = compiler::patternAt(launch.program->program, pc);
    if (pattern == nullptr) continue;
    std::vector<compiler::LaunchPattern> versions = compiler::evaluateVersions(*pattern, values);
    if (versions[0].isKnown()) patterns_[pc] = std::move(versions);
  }
}

// Of several loops, a sum of their steps is not looked for: what divides all of them divides it.
std::optional<u64> shiftOf(const compiler::LaunchPattern& pattern, u64 address, Dim3 thread, Dim3 block) {
  const u64 shift = (address - pattern.addressOf(thread, block)) & pattern.addressMask;
  if (shift == 0) return 0;
  if (pattern.steps.empty()) return std::nullopt;
  s64 divisor = 0;
  for (const s64 step : pattern.steps) divisor = std::gcd(divisor, step);
  const bool isNarrow = pattern.addressMask >> 32 == 0;
  const s64 distance = isNarrow ? static_cast<s32>(static_cast<u32>(shift)) : static_cast<s64>(shift);
  const bool isForward = pattern.steps.size() > 1 || (distance > 0) == (pattern.steps[0] > 0);
  return divisor != 0 && distance % divisor == 0 && isForward ? std::optional(shift) : std::nullopt;
}

}  // namespace warpwright::mechanisms::access_patterns
