// The three tables of Lee and others, "Many-Thread Aware Prefetching Mechanisms for GPGPU Applications" (MICRO 2010), section 4: strides of
// an instruction within each warp, those that several warps share, and those between warps.
#pragma once

#include <optional>
#include <vector>

#include "base/types.hpp"

namespace warpwright::mechanisms::many_thread_prefetcher {

// Fully associative, least recently used.
template <class Entry>
class LruTable {
 public:
  explicit LruTable(u32 entries) : entries_(entries) {}

  // Null: none matches. One that is found is now the last used.
  template <class Matches>
  Entry* find(Matches matches) {
    for (Slot& slot : entries_) {
      if (slot.used == 0 || !matches(slot.entry)) continue;
      slot.used = ++now_;
      return &slot.entry;
    }
    return nullptr;
  }
  void insert(const Entry& entry) {
    Slot* oldest = &entries_.front();
    for (Slot& slot : entries_)
      if (slot.used < oldest->used) oldest = &slot;
    *oldest = {entry, ++now_};
  }
  template <class Matches>
  u32 count(Matches matches) const {
    u32 number = 0;
    for (const Slot& slot : entries_) number += slot.used != 0 && matches(slot.entry);
    return number;
  }
  void forget() {
    for (Slot& slot : entries_) slot.used = 0;
  }

 private:
  struct Slot {
    Entry entry;
    u64 used = 0;  // 0: never
  };
  std::vector<Slot> entries_;
  u64 now_ = 0;
};

struct TableSizes {
  u32 perWarp = 32, global = 8, interWarp = 8;
  u32 promote = 3;      // warps with one stride that make it that of the instruction
  u32 strideBits = 20;  // longer strides predict nothing
};

// What is expected of an instruction. A warp's next access is a stride away; between warps, that of the next warp is.
enum class Source : u8 { global, interWarp, perWarp };
struct Prediction {
  Source source = Source::perWarp;
  s64 stride = 0;
};

class Tables {
 public:
  explicit Tables(const TableSizes& sizes) : sizes_(sizes), perWarp_(sizes.perWarp), global_(sizes.global), interWarp_(sizes.interWarp) {}

  // An access of the warp in a slot. The global stride goes before that between warps, and that before the warp's own; where there is a
  // global stride, the table of warps is not asked.
  std::optional<Prediction> observe(Pc pc, u32 warp, u64 address);
  void forget();
  u64 promotions() const { return promotions_; }

 private:
  struct WarpStride {
    Pc pc;
    u32 warp = 0;
    u64 last = 0;
    s64 stride = 0;
    bool isTrained = false;  // twice the same
  };
  struct PcStride {
    Pc pc;
    s64 stride = 0;
  };
  struct WarpDistance {
    Pc pc;
    u32 warp = 0;
    u64 last = 0;
    s64 stride = 0;          // for each warp that one is further than the other
    bool isTrained = false;  // three warps in a row with it
  };

  std::optional<s64> observeBetween(Pc pc, u32 warp, u64 address);
  std::optional<s64> observeWithin(Pc pc, u32 warp, u64 address);
  void promote(const WarpStride& entry);
  bool predicts(s64 stride) const;

  const TableSizes sizes_;
  LruTable<WarpStride> perWarp_;
  LruTable<PcStride> global_;
  LruTable<WarpDistance> interWarp_;
  u64 promotions_ = 0;
};

}  // namespace warpwright::mechanisms::many_thread_prefetcher
