#include "mechanisms/launch_patterns.hpp"

namespace warpwright::mechanisms {

compiler::LaunchValues launchValues(const exec::Launch& launch) {
  return {launch.grid, launch.block, launch.parameters, launch.program->variableAddresses, launch.program->program.addressBits};
}

namespace {

// Adds what the threads of a block add to the sum at most, and what they take from it.
void addThreads(s64 factor, u32 extent, s64& lowest, s64& highest) { (factor < 0 ? lowest : highest) += factor * (s64{extent} - 1); }

AddressRange rangeOf(const compiler::AccessPattern& code, const compiler::LaunchPattern& version, Dim3 block) {
  AddressRange range;
  range.isBounded = code.space != isa::Space::local && !version.isSkewed() && version.steps.empty();
  if (!range.isBounded) return range;
  s64 lowest = 0, highest = 0;
  addThreads(version.y.a, block.z, lowest, highest);
  addThreads(version.y.c, block.y, lowest, highest);
  addThreads(version.y.e, block.x, lowest, highest);
  range.first = version.y.f + lowest;
  range.perX = version.y.d;
  range.perY = version.y.b;
  range.length = static_cast<u64>(highest - lowest) + code.bytes;
  range.addressMask = version.addressMask;
  return range;
}

}  // namespace

bool AddressRange::touches(GlobalAddress address, u32 count, Dim3 block) const {
  if (!isBounded) return true;
  const u64 begin = static_cast<u64>(first) + static_cast<u64>(perX) * block.x + static_cast<u64>(perY) * block.y;
  return ((address + (count - 1) - begin) & addressMask) < length + (count - 1);
}

sm::PerInstruction<u32> granularities(const exec::LaunchRequest& request, Accesses accesses, const compiler::GranularityLimits& limits,
                                      const compiler::GranularityRules& rules) {
  const exec::Launch& launch = *request.launch;
  const isa::Program& program = launch.program->program;
  const compiler::LaunchValues values = launchValues(launch);
  sm::PerInstruction<u32> bytes(program.code.size());
  for (Pc pc{0}; pc < bytes.size(); ++pc) {
    const compiler::AccessPattern* pattern = compiler::patternAt(program, pc);
    if (pattern == nullptr || (!pattern->isLoad && accesses == Accesses::loads)) continue;
    bytes[pc] = limits.least;
    if (pc < launch.kernel->begin || pc >= launch.kernel->end) continue;
    bytes[pc] =
        compiler::granularityOf(*pattern, compiler::evaluate(*pattern, values), launch.block, request.limits.warpSize, limits, rules);
  }
  return bytes;
}

sm::PerInstruction<std::vector<AddressRange>> versionsOf(const exec::LaunchRequest& request, const compiler::GranularityLimits& limits,
                                                         const compiler::GranularityRules& rules) {
  const exec::Launch& launch = *request.launch;
  const isa::Program& program = launch.program->program;
  const compiler::LaunchValues values = launchValues(launch);
  sm::PerInstruction<std::vector<AddressRange>> versions(program.code.size());
  for (Pc pc = launch.kernel->begin; pc < launch.kernel->end; ++pc) {
    const compiler::AccessPattern* code = compiler::patternAt(program, pc);
    if (code == nullptr || compiler::evaluate(*code, values).failure != compiler::PatternFailure::versions) continue;
    for (const compiler::LaunchPattern& version : compiler::evaluateVersions(*code, values)) {
      versions[pc].push_back(rangeOf(*code, version, launch.block));
      versions[pc].back().bytes = compiler::granularityOf(*code, version, launch.block, request.limits.warpSize, limits, rules);
    }
  }
  return versions;
}

}  // namespace warpwright::mechanisms
