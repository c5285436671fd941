// Which line of a set makes room. A policy is one file of this folder and one line of catalogue.cpp (docs/adding-a-policy.md).
#pragma once

#include <memory>

#include "base/bit_set.hpp"
#include "config/cache.hpp"
#include "config/policy_list.hpp"
#include "mem/request.hpp"

namespace warpwright::mem {

using WaySet = BitSet<struct Way>;
static_assert(config::kMostWays <= WaySet::kMost);

// Told of every event of the lines of a cache, in their order. The access has its origin: who asked.
class Replacement {
 public:
  virtual ~Replacement() = default;
  // An access to a line that is there. isHit: with all sectors that it touches.
  virtual void touched(u32 set, u32 way, const Request& access, bool isHit) = 0;
  // The access put its line into this way; what it touches is on its way, or written by it.
  virtual void installed(u32 set, u32 way, const Request& access) = 0;
  // What was asked for of the line has arrived.
  virtual void filled(u32 /*set*/, u32 /*way*/) {}
  // The line left: another one gets its way, or it was dropped (on a write, at the beginning of a launch).
  virtual void left(u32 /*set*/, u32 /*way*/, bool /*isDisplaced*/) {}
  // One of the candidates, of which there is at least one. Asking twice gives the same answer: a blocked access asks in every tick.
  virtual u32 victim(u32 set, WaySet candidates) const = 0;
  // Whether it ever lets an access go by. Asked once.
  virtual bool mayBypass() const { return false; }
  // Whether an access to a line that is not there goes by, so that no line makes room for it. Asking twice, as above.
  virtual bool bypasses(u32 /*set*/, const Request& /*access*/) const { return false; }
  // It did.
  virtual void bypassed(u32 /*set*/, const Request& /*access*/) {}
};

struct ReplacementContext {
  u32 sets, ways;
};
using ReplacementEntry = config::PolicyEntry<Replacement, const ReplacementContext&>;
using ReplacementList = config::PolicyList<Replacement, const ReplacementContext&>;

ReplacementList& replacementList();

// A policy that needs to know nothing but the sets and ways. For the entries of such policies.
template <class P>
std::unique_ptr<Replacement> makePlain(const std::any&, const ReplacementContext& context) {
  return std::make_unique<P>(context.sets, context.ways);
}

}  // namespace warpwright::mem
