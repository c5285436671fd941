#include "mechanisms/access_patterns/observer.hpp"

#include "stats/named_structure.hpp"

namespace warpwright::mechanisms::access_patterns {

Observer::Observer(const exec::LaunchRequest& request, std::shared_ptr<const Prediction> prediction, const AccessPatternStats& counted)
    : grid_(request.launch->grid),
      block_(request.launch->block),
      warpSize_(request.limits.warpSize),
      prediction_(std::move(prediction)),
      stats_(counted) {}

Dim3 Observer::threadOf(const exec::WarpId& warp, u32 lane) const {
  const u32 number = warp.warp * warpSize_ + lane;
  return {number % block_.x, number / block_.x % block_.y, number / block_.x / block_.y};
}

Dim3 Observer::blockOf(const exec::WarpId& warp) const {
  const u64 row = warp.block / grid_.x;
  return {static_cast<u32>(warp.block % grid_.x), static_cast<u32>(row % grid_.y), static_cast<u32>(row / grid_.y)};
}

void Observer::memory(const exec::MemoryEvent& event) {
  if ((event.space != isa::Space::global && event.space != isa::Space::local) || event.isAtomic || event.instruction->spill) return;
  // A pattern of a generic address is that of global memory.
  if (event.space == isa::Space::local && event.instruction->modifiers.space != isa::Space::local) return;
  const std::vector<compiler::LaunchPattern>& versions = prediction_->at(event.pc);
  if (versions.empty()) {
    stats_.unpredicted += event.mask.size();
    return;
  }
  const Dim3 block = blockOf(event.warp);
  std::optional<u64> common;
  bool isApart = false;
  for (const LaneId lane : event.mask) {
    ++stats_.predicted;
    std::optional<u64> shift;
    for (const compiler::LaunchPattern& version : versions)
      if (!shift) shift = shiftOf(version, event.addresses[lane], threadOf(event.warp, lane), block);
    if (!shift) {
      ++stats_.wrong;
      continue;
    }
    isApart |= common && common != shift;
    common = shift;
  }
  if (versions.size() == 1 && isApart) ++stats_.apart;
}

void Observer::collect(stats::NamedStatistics& into) const { into.add("access_patterns", stats::Structure(stats_)); }

}  // namespace warpwright::mechanisms::access_patterns
