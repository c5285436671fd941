#include "mechanisms/assist_warps/throttle.hpp"

#include <algorithm>

namespace warpwright::mechanisms::assist_warps {
namespace {

constexpr std::size_t kLoadStore = 4;
std::array<const config::Pipes*, 6> pipesOf(const config::Sm& sm) {
  return {&sm.integer, &sm.fp32, &sm.fp64, &sm.sfu, &sm.loadStore, &sm.tensor};
}

bool isShare(u64 part, u64 whole, u32 percent) { return part * 100 >= whole * percent; }

}  // namespace

Throttle::Throttle(const Settings& settings, const config::Machine& machine)
    : length_(settings.window),
      slots_(length_ * std::max(1u, machine.schedulersPerSm) * machine.sm.issueWidth),
      busyPercent_(settings.busyPercent),
      idlePercent_(settings.idlePercent),
      unitPercent_(settings.unitPercent),
      end_(length_ == 0 ? kNever : Cycle{length_}) {
  const auto pipes = pipesOf(machine.sm);
  for (std::size_t unit = 0; unit < pipeOf_.size(); ++unit) {
    const auto found = std::find(pipes.begin(), pipes.end(), &sm::pipesOf(machine.sm, static_cast<isa::Unit>(unit)));
    pipeOf_[unit] = static_cast<u8>(found - pipes.begin());
  }
  for (std::size_t pipe = 0; pipe < kPipes; ++pipe) pipeCount_[pipe] = std::max(1u, pipes[pipe]->count);
}

void Throttle::issued(u64 Window::*slots, isa::Unit unit, u32 cycles, Cycle now) {
  turn(now);
  ++(window_.*slots);
  window_.occupied[pipeOf(unit)] += cycles;
}

void Throttle::loadStoreUsed(u64 cycles, Cycle now) {
  turn(now);
  window_.loadStore += cycles - loadStoreBefore_;
  loadStoreBefore_ = cycles;
}

// Windows in which nobody called have seen nothing.
void Throttle::beginWindow(Cycle now) {
  const bool isNext = now < end_ + length_;
  throttled_ = judge(isNext ? window_ : Window{});
  window_ = {};
  end_ = Cycle{(now.ticks / length_ + 1) * length_};
}

Throttled Throttle::judge(const Window& window) const {
  Throttled result;
  result.isBusy = isShare(window.warps, slots_, busyPercent_);
  const u64 taken = window.warps + window.assists;
  result.isUnidle = !isShare(slots_ - std::min(slots_, taken), slots_, idlePercent_);
  for (std::size_t unit = 0; unit < pipeOf_.size(); ++unit) {
    const std::size_t pipe = pipeOf_[unit];
    const bool isBusy = pipe == kLoadStore ? isShare(window.loadStore, length_, unitPercent_)
                                           : isShare(window.occupied[pipe], length_ * pipeCount_[pipe], unitPercent_);
    result.busyUnits.set(static_cast<u32>(unit), isBusy);
  }
  return result;
}

}  // namespace warpwright::mechanisms::assist_warps
