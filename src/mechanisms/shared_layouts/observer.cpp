#include "mechanisms/shared_layouts/observer.hpp"

#include "base/memory_units.hpp"
#include "stats/named_structure.hpp"

namespace warpwright::mechanisms::shared_layouts {

void Observer::memory(const exec::MemoryEvent& event) {
  if (event.space != isa::Space::shared) return;
  const u8 layout = event.pc < layoutOf_.size() ? static_cast<u8>(layoutOf_[event.pc]) : 0;
  ++(layout == 0 ? stats_.unnamed : stats_.named);
  std::vector<u8>& words = blocks_[event.warp.block];
  for (const LaneId lane : event.mask) {
    const u64 first = event.addresses[lane] / kWordBytes, last = (event.addresses[lane] + event.bytesPerLane - 1) / kWordBytes;
    if (last >= words.size()) words.resize(last + 1, kUnstored);
    for (u64 word = first; word <= last; ++word) {
      stats_.mismatches += event.isLoad && words[word] != kUnstored && words[word] != layout;
      if (event.isStore) words[word] = layout;
    }
  }
}

void Observer::collect(stats::NamedStatistics& into) const { into.add("shared_layouts", stats::Structure(stats_)); }

}  // namespace warpwright::mechanisms::shared_layouts
