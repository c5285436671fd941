#include "mechanisms/granularities.hpp"

#include <algorithm>
#include <bit>

namespace warpwright::mechanisms {
namespace {

sm::PerInstruction<u16> asBlocks(const sm::PerInstruction<u32>& bytes, const compiler::GranularityLimits& limits) {
  sm::PerInstruction<u16> blocks;
  blocks.reserve(bytes.size());
  for (const u32 each : bytes) blocks.push_back(static_cast<u16>(asBlock(each, limits)));
  return blocks;
}

// Of a block in the grid, by its number.
Dim3 positionOf(u32 block, const Dim3& grid) { return {block % grid.x, block / grid.x % grid.y, block / grid.x / grid.y}; }

}  // namespace

u32 asBlock(u32 bytes, const compiler::GranularityLimits& limits) { return std::clamp(std::bit_floor(bytes), limits.least, limits.most); }

u32 Granularities::bytesOf(const mem::Origin& origin, GlobalAddress address, u32 count, const Dim3& grid) const {
  if (versions.empty() || versions[origin.pc].empty()) return bytes[origin.pc];
  const Dim3 block = positionOf(origin.block, grid);
  u32 least = 0;
  for (const AddressRange& version : versions[origin.pc]) {
    if (version.touches(address, count, block) && (least == 0 || version.bytes < least)) least = version.bytes;
  }
  return least == 0 ? bytes[origin.pc] : least;
}

Granularities fixedGranularities(const exec::LaunchRequest& request, u32 bytes, const compiler::GranularityLimits& limits) {
  return {asBlocks(sm::PerInstruction<u32>(request.launch->program->program.code.size(), bytes), limits)};
}

Granularities patternGranularities(const exec::LaunchRequest& request, const compiler::GranularityLimits& limits,
                                   const compiler::GranularityRules& rules, bool atWarpTime) {
  Granularities all{asBlocks(granularities(request, Accesses::loadsAndStores, limits, rules), limits)};
  if (!atWarpTime) return all;
  all.versions = versionsOf(request, limits, rules);
  for (std::vector<AddressRange>& versions : all.versions)
    for (AddressRange& version : versions) version.bytes = asBlock(version.bytes, limits);
  return all;
}

}  // namespace warpwright::mechanisms
