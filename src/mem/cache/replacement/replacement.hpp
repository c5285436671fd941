// Which line of a set makes room. A policy is one file of this folder and one line of makeReplacement().
#pragma once

#include <memory>

#include "config/cache.hpp"

namespace warpwright::mem {

// Bit w: way w.
using WayMask = u64;
inline constexpr u32 kMaxWays = 64;

class Replacement {
 public:
  virtual ~Replacement() = default;
  // A line was used.
  virtual void touched(u32 set, u32 way) = 0;
  // A line was put into this way.
  virtual void installed(u32 set, u32 way) = 0;
  // One of the candidates, of which there is at least one. Asking twice gives the same answer: a blocked access asks in every tick.
  virtual u32 victim(u32 set, WayMask candidates) const = 0;
};

std::unique_ptr<Replacement> makeReplacement(config::Replacement policy, u32 sets, u32 ways);

}  // namespace warpwright::mem
