#include "machines/carve_outs.hpp"

#include <algorithm>

#include "config/carve_outs.hpp"

namespace warpwright::machines {

CarveOuts::CarveOuts(const config::Machine& machine)
    : sizes_(config::carveOutsOf(machine.sm.carveOuts)),
      unifiedBytes_(machine.sm.unifiedBytes),
      bytesOfWay_(machine.l1d.bytes / machine.l1d.ways),
      ways_(machine.l1d.ways) {}

u32 CarveOuts::waysBeside(u64 sharedBytes) const {
  if (sizes_.empty() || bytesOfWay_ == 0) return 0;
  const auto fits = std::lower_bound(sizes_.begin(), sizes_.end(), sharedBytes);
  const u64 carveOut = fits == sizes_.end() ? sizes_.back() : *fits;
  const u64 left = unifiedBytes_ - std::min(unifiedBytes_, carveOut);
  return static_cast<u32>(std::clamp<u64>(left / bytesOfWay_, 1, ways_));
}

}  // namespace warpwright::machines
