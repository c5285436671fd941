// Which virtual units' values each register, predicate and spill slot holds: the state of verifyTranslation.
#pragma once

#include <map>
#include <vector>

#include "compiler/bit_set.hpp"

namespace warpwright::compiler {

class HeldUnits {
 public:
  explicit HeldUnits(u32 units) : undefined_(units) {
    for (u32 unit = 0; unit < units; ++unit) undefined_.set(unit);
  }

  // A unit that nothing has written on any path to here is held everywhere: reading it gives anything.
  bool isUndefined(u32 unit) const { return undefined_.test(unit); }
  bool holds(u32 place, u32 unit) const;
  std::vector<u32> unitsIn(u32 place) const;

  // The place loses what it held.
  void clear(u32 place) { held_.erase(place); }
  // No place holds the unit's former value.
  void forget(u32 unit);
  void add(u32 place, u32 unit);
  void define(u32 unit) { undefined_.reset(unit); }
  // Every place that holds `from` holds `to` as well.
  void addWhere(u32 from, u32 to);
  // Keeps only places for which `keep(place)` is true.
  template <class Predicate>
  void keepOnly(Predicate&& keep) {
    std::erase_if(held_, [&](const auto& entry) { return !keep(entry.first); });
  }

  // Keeps what both hold; returns whether this changed.
  bool meet(const HeldUnits& other);

 private:
  std::map<u32, std::vector<u32>> held_;  // place → units, sorted
  BitSet undefined_;
};

}  // namespace warpwright::compiler
