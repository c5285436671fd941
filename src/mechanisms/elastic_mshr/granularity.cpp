#include "mechanisms/elastic_mshr/granularity.hpp"

#include <algorithm>
#include <bit>

#include "base/memory_units.hpp"
#include "mechanisms/launch_patterns.hpp"

namespace warpwright::mechanisms::elastic_mshr {

sm::PerInstruction<u16> asBlocks(const sm::PerInstruction<u32>& bytes, const config::Machine& machine) {
  const u32 least = machine.l1d.lineBytes, most = std::min(kLongestLineBytes, machine.dram.interleaveBytes);
  sm::PerInstruction<u16> blocks;
  blocks.reserve(bytes.size());
  for (const u32 each : bytes) blocks.push_back(static_cast<u16>(std::clamp(std::bit_floor(each), least, most)));
  return blocks;
}

Granularities granularitiesOf(const exec::LaunchRequest& request, const Settings& settings, const config::Machine& machine) {
  if (settings.granularity == Choice::fixed)
    return {asBlocks(sm::PerInstruction<u32>(request.launch->program->program.code.size(), settings.bytes), machine)};
  const compiler::GranularityLimits limits{machine.l1d.lineBytes, machine.dram.interleaveBytes};
  return {asBlocks(loadGranularities(request, limits, {settings.blocksContinueRows, settings.skewed}), machine)};
}

}  // namespace warpwright::mechanisms::elastic_mshr
