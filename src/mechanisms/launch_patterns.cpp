#include "mechanisms/launch_patterns.hpp"

namespace warpwright::mechanisms {

compiler::LaunchValues launchValues(const exec::Launch& launch) {
  return {launch.grid, launch.block, launch.parameters, launch.program->variableAddresses, launch.program->program.addressBits};
}

sm::PerInstruction<u32> loadGranularities(const exec::LaunchRequest& request, const compiler::GranularityLimits& limits,
                                          const compiler::GranularityRules& rules) {
  const exec::Launch& launch = *request.launch;
  const isa::Program& program = launch.program->program;
  const compiler::LaunchValues values = launchValues(launch);
  sm::PerInstruction<u32> bytes(program.code.size());
  for (u32 pc = 0; pc < bytes.size(); ++pc) {
    const compiler::AccessPattern* pattern = compiler::patternAt(program, pc);
    if (pattern == nullptr || !pattern->isLoad) continue;
    bytes[pc] = limits.least;
    if (pc < launch.kernel->begin || pc >= launch.kernel->end) continue;
    bytes[pc] =
        compiler::granularityOf(*pattern, compiler::evaluate(*pattern, values), launch.block, request.limits.warpSize, limits, rules);
  }
  return bytes;
}

}  // namespace warpwright::mechanisms
