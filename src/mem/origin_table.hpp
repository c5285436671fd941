// Counters by who asked: of each launch under way by instruction, and of all others together.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "mem/origin.hpp"
#include "stats/statistics.hpp"

namespace warpwright::mem {

template <stats::Statistics Counts>
class OriginTable {
 public:
  void begin(u32 launch) { active_.push_back({launch, {}}); }

  // By pc, what was counted of the launch since it began. What it still causes from now on counts as others'.
  std::vector<Counts> end(u32 launch) {
    const auto found = std::find_if(active_.begin(), active_.end(), [&](const Launch& each) { return each.id == launch; });
    if (found == active_.end()) return {};
    std::vector<Counts> result = std::move(found->byPc);
    active_.erase(found);
    for (const Counts& each : result) stats::merge(ended_, each);
    return result;
  }

  // Valid until the next call.
  Counts& of(const Origin& origin) {
    for (Launch& each : active_) {
      if (each.id != origin.launch) continue;
      if (each.byPc.size() <= origin.pc) each.byPc.resize(origin.pc + 1);
      return each.byPc[origin.pc];
    }
    return others_;
  }

  // Of all origins, since the table was made.
  Counts total() const {
    Counts result = others_;
    stats::merge(result, ended_);
    for (const Launch& each : active_) {
      for (const Counts& counts : each.byPc) stats::merge(result, counts);
    }
    return result;
  }

 private:
  struct Launch {
    u32 id;
    std::vector<Counts> byPc;  // as far as anything was counted
  };

  std::vector<Launch> active_;
  Counts others_;  // no instruction's, or of launches that have ended
  Counts ended_;   // of launches, while they were under way
};

}  // namespace warpwright::mem
