#include "sm/residency.hpp"

namespace warpwright::sm {

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
