#include "sass/address_store.hpp"

#include <bit>

namespace warpwright::sass {

u32 AddressStore::add(const InstructionLine& line) {
  const auto number = static_cast<u32>(kept_.size());
  Kept& kept = kept_.emplace_back(Kept{line.first, line.stride, kNone});
  if (line.mode == AddressMode::stride) return number;
  const auto lanes = static_cast<u32>(std::popcount(line.mask));
  kept.deltas = static_cast<u32>(deltas_.size());
  if (lanes > 1) deltas_.insert(deltas_.end(), line.deltas.begin(), line.deltas.begin() + lanes - 1);
  return number;
}

void AddressStore::expand(u32 number, LaneMask lanes, LaneAddresses& into) const {
  const Kept& kept = kept_[number];
  u64 address = kept.first;
  u32 next = kept.deltas;
  for (const LaneId lane : lanes) {
    into[lane] = address;
    if (kept.deltas == kNone) {
      address += static_cast<u64>(kept.stride);
    } else if (next < deltas_.size()) {
      address += static_cast<u64>(deltas_[next++]);
    }
  }
}

// A run of lanes alone has a stride, as the tracer writes it.
Spread AddressStore::spreadOf(u32 number, LaneMask lanes, u32 bytes) const {
  const Kept& kept = kept_[number];
  if (kept.deltas != kNone) return lanes.hasOne() ? Spread::uniform : Spread::unknown;
  if (kept.stride == 0) return Spread::uniform;
  const bool isRun = lanes.lowered(lanes.least()).isPrefix();
  return isRun && kept.stride == static_cast<s64>(bytes) ? Spread::consecutive : Spread::unknown;
}

}  // namespace warpwright::sass
