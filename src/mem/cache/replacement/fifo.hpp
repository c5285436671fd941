// First in, first out: the line that has been there longest, used or not.
#pragma once

#include "mem/cache/replacement/stamps.hpp"

namespace warpwright::mem {

class Fifo final : public Replacement {
 public:
  Fifo(u32 sets, u32 ways) : installed_(sets, ways) {}
  void touched(u32, u32, const Request&, bool) override {}
  void installed(u32 set, u32 way, const Request&) override { installed_.mark(set, way); }
  u32 victim(u32 set, WaySet candidates) const override { return installed_.oldest(set, candidates); }

 private:
  Stamps installed_;
};

inline constexpr ReplacementEntry kFifo{
    {.name = "fifo", .text = "The line that has been there longest, used or not.", .source = "first in, first out"}, makePlain<Fifo>};

}  // namespace warpwright::mem
