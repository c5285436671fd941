// Least recently used.
#pragma once

#include "mem/cache/replacement/stamps.hpp"

namespace warpwright::mem {

class Lru final : public Replacement {
 public:
  Lru(u32 sets, u32 ways) : used_(sets, ways) {}
  void touched(u32 set, u32 way, const Request&, bool) override { used_.mark(set, way); }
  void installed(u32 set, u32 way, const Request&) override { used_.mark(set, way); }
  u32 victim(u32 set, WaySet candidates) const override { return used_.oldest(set, candidates); }

 private:
  Stamps used_;
};

inline constexpr ReplacementEntry kLru{
    {.name = "lru", .text = "The line whose last use lies furthest back.", .source = "least recently used"}, makePlain<Lru>};

}  // namespace warpwright::mem
