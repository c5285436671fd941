#include "mechanisms/many_thread_prefetcher/tables.hpp"

#include "mechanisms/prefetching_stage.hpp"

namespace warpwright::mechanisms::many_thread_prefetcher {

bool Tables::predicts(s64 stride) const { return stride != 0 && fitsBits(stride, sizes_.strideBits); }

std::optional<Prediction> Tables::observe(Pc pc, u32 warp, u64 address) {
  const PcStride* global = global_.find([&](const PcStride& each) { return each.pc == pc; });
  const std::optional<s64> between = observeBetween(pc, warp, address);
  if (global != nullptr) return Prediction{Source::global, global->stride};
  const std::optional<s64> within = observeWithin(pc, warp, address);
  if (between) return Prediction{Source::interWarp, *between};
  if (within) return Prediction{Source::perWarp, *within};
  return std::nullopt;
}

// A step between two warps that is no whole number of bytes a warp is no stride.
std::optional<s64> Tables::observeBetween(Pc pc, u32 warp, u64 address) {
  WarpDistance* entry = interWarp_.find([&](const WarpDistance& each) { return each.pc == pc; });
  if (entry == nullptr) {
    interWarp_.insert({.pc = pc, .warp = warp, .last = address});
    return std::nullopt;
  }
  const s64 warps = s64{warp} - s64{entry->warp};
  if (warps != 0) {
    const auto bytes = static_cast<s64>(address - entry->last);
    const s64 stride = bytes % warps == 0 ? bytes / warps : 0;
    entry->isTrained = stride != 0 && stride == entry->stride;
    entry->stride = stride;
    entry->warp = warp;
  }
  entry->last = address;
  return entry->isTrained && predicts(entry->stride) ? std::optional(entry->stride) : std::nullopt;
}

std::optional<s64> Tables::observeWithin(Pc pc, u32 warp, u64 address) {
  WarpStride* entry = perWarp_.find([&](const WarpStride& each) { return each.pc == pc && each.warp == warp; });
  if (entry == nullptr) {
    perWarp_.insert({.pc = pc, .warp = warp, .last = address});
    return std::nullopt;
  }
  const auto stride = static_cast<s64>(address - entry->last);
  entry->isTrained = stride == entry->stride;
  entry->stride = stride;
  entry->last = address;
  if (!entry->isTrained || !predicts(stride)) return std::nullopt;
  promote(*entry);
  return stride;
}

// The warps' own entries are of no more use, and are left to be replaced.
void Tables::promote(const WarpStride& entry) {
  const u32 alike =
      perWarp_.count([&](const WarpStride& each) { return each.pc == entry.pc && each.isTrained && each.stride == entry.stride; });
  if (alike < sizes_.promote) return;
  global_.insert({entry.pc, entry.stride});
  ++promotions_;
}

void Tables::forget() {
  perWarp_.forget();
  global_.forget();
  interWarp_.forget();
}

}  // namespace warpwright::mechanisms::many_thread_prefetcher
