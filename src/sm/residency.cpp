#include "sm/residency.hpp"

#include <algorithm>

namespace warpwright::sm {

u32 Residency::room(const LaunchPlan& plan) const {
  u64 room = std::min(blocks_, slots_.size() / std::max(1u, plan.warpsPerBlock));
  if (plan.registersPerBlock != 0) room = std::min<u64>(room, registers_ / plan.registersPerBlock);
  if (plan.sharedPerBlock != 0) room = std::min(room, sharedBytes_ / plan.sharedPerBlock);
  return static_cast<u32>(room);
}

WarpSet Residency::take(const LaunchPlan& plan) {
  registers_ -= plan.registersPerBlock;
  sharedBytes_ -= plan.sharedPerBlock;
  --blocks_;
  WarpSet taken;
  for (u32 warp = 0; warp < plan.warpsPerBlock; ++warp) taken.insert(slots_.takeLeast());
  return taken;
}

void Residency::giveBack(const LaunchPlan& plan, WarpSet slots) {
  registers_ += plan.registersPerBlock;
  sharedBytes_ += plan.sharedPerBlock;
  ++blocks_;
  slots_ |= slots;
}

}  // namespace warpwright::sm
