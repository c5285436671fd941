#include "mechanisms/access_patterns/counts.hpp"

#include "mechanisms/launch_patterns.hpp"

namespace warpwright::mechanisms::access_patterns {

AccessPatternStats countsOf(const exec::LaunchRequest& request, const Settings& settings) {
  const exec::Launch& launch = *request.launch;
  const compiler::LaunchValues values = launchValues(launch);
  const compiler::GranularityLimits limits{settings.leastBytes, settings.mostBytes};
  const compiler::GranularityRules literal{true, settings.skewed, settings.roundsDown};
  const compiler::GranularityRules relaxed{false, settings.skewed, settings.roundsDown};
  AccessPatternStats counts;
  for (Pc pc = launch.kernel->begin; pc < launch.kernel->end; ++pc) {
    const compiler::AccessPattern* code = compiler::patternAt(launch.program->program, pc);
    if (code == nullptr) continue;
    const compiler::LaunchPattern pattern = compiler::evaluate(*code, values);
    if (!code->isLoad) {
      ++counts.stores;
      counts.failedStores += !pattern.isKnown();
      continue;
    }
    counts.failures.count(pattern.failure);
    counts.skewed += pattern.isSkewed();
    const auto sizeBy = [&](const compiler::GranularityRules& rules) {
      return compiler::granularityOf(*code, pattern, launch.block, request.limits.warpSize, limits, rules);
    };
    counts.literal.count(sizeBy(literal));
    counts.relaxed.count(sizeBy(relaxed));
  }
  return counts;
}

void FailureStats::count(compiler::PatternFailure failure) {
  u64* const counters[] = {nullptr, &loaded,     &exchanged, &argument, &privateSpace, &operation,
                           &step,   &tooComplex, &wraps,     &product,  &composition,  &versions};
  if (u64* counter = counters[static_cast<std::size_t>(failure)]) ++*counter;
}

}  // namespace warpwright::mechanisms::access_patterns
