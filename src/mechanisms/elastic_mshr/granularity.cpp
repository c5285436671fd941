#include "mechanisms/elastic_mshr/granularity.hpp"

#include <algorithm>
#include <bit>

#include "base/memory_units.hpp"

namespace warpwright::mechanisms::elastic_mshr {
namespace {

u32 asBlock(u32 bytes, const config::Machine& machine) {
  return std::clamp(std::bit_floor(bytes), machine.l1d.lineBytes, std::min(kLongestLineBytes, machine.dram.interleaveBytes));
}

}  // namespace

sm::PerInstruction<u16> asBlocks(const sm::PerInstruction<u32>& bytes, const config::Machine& machine) {
  sm::PerInstruction<u16> blocks;
  blocks.reserve(bytes.size());
  for (const u32 each : bytes) blocks.push_back(static_cast<u16>(asBlock(each, machine)));
  return blocks;
}

u32 Granularities::bytesOf(u32 pc, u64 address, u32 blockBytes, Dim3 threadBlock) const {
  if (versions.empty() || versions[pc].empty()) return bytes[pc];
  u32 least = 0;
  for (const AddressRange& version : versions[pc]) {
    if (version.touches(address, blockBytes, threadBlock) && (least == 0 || version.bytes < least)) least = version.bytes;
  }
  return least == 0 ? bytes[pc] : least;
}

Granularities granularitiesOf(const exec::LaunchRequest& request, const Settings& settings, const config::Machine& machine) {
  if (settings.granularity != Choice::byPattern)
    return {asBlocks(sm::PerInstruction<u32>(request.launch->program->program.code.size(), settings.bytes), machine)};
  const compiler::GranularityLimits limits{machine.l1d.lineBytes, machine.dram.interleaveBytes};
  const compiler::GranularityRules rules{settings.blocksContinueRows, settings.skewed};
  Granularities all{asBlocks(granularities(request, Accesses::loadsAndStores, limits, rules), machine)};
  if (!settings.chooseAtWarpTime) return all;
  all.versions = versionsOf(request, limits, rules);
  for (std::vector<AddressRange>& versions : all.versions)
    for (AddressRange& version : versions) version.bytes = asBlock(version.bytes, machine);
  return all;
}

}  // namespace warpwright::mechanisms::elastic_mshr
