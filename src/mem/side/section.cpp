#include "mem/side/section.hpp"

#include <algorithm>

namespace warpwright::mem {

void InStep::run(Cycle from, Cycle until) {
  for (Section* section : sections_) section->begin();
  for (Cycle now = from; now < until; ++now) {
    bool progressed = false;
    for (Section* section : sections_) progressed |= section->cycle(now);
    if (progressed || !skip_) continue;
    const Cycle next = nextEvent(now + 1);
    if (next > now + 1) now = Cycle{std::min(next, until).ticks - 1};
  }
  now_ = until;
}

Cycle InStep::nextEvent(Cycle now) const {
  Cycle next = kNever;
  for (const Section* section : sections_) {
    next = std::min(next, section->nextEvent(now));
    if (next <= now) break;
  }
  return next;
}

}  // namespace warpwright::mem
