// Which virtual units' values each register, predicate and spill slot holds: the state of verifyTranslation.
#pragma once

#include <vector>

#include "compiler/machine_code.hpp"
#include "compiler/number_set.hpp"

namespace warpwright::compiler {

// The units whose values pass from one block to another: those that some block reads, or leaves in some lanes, before it writes them in
// all.
class ExposedUnits {
 public:
  explicit ExposedUnits(u32 units) : number_(units, kNone) {}

  void add(u32 unit) {
    if (number_[unit] == kNone) number_[unit] = count_++;
  }
  bool contains(u32 unit) const { return number_[unit] != kNone; }
  u32 numberOf(u32 unit) const { return number_[unit]; }
  u32 count() const { return count_; }

 private:
  std::vector<u32> number_;
  u32 count_ = 0;
};

class HeldUnits {
 public:
  explicit HeldUnits(const ExposedUnits& exposed);

  // A unit that nothing has written on any path to here is held everywhere: reading it gives anything.
  bool isUndefined(u32 unit) const { return exposed_->contains(unit) && undefined_.test(exposed_->numberOf(unit)); }
  bool holds(u32 location, u32 unit) const { return isHeld(keyOf(location, unit)) || isUndefined(unit); }
  template <class Visitor>
  void forEachUnitIn(u32 location, Visitor&& visit) const {
    for (const u64 key : held_)
      if (locationOf(key) == location) visit(unitOf(key));
  }

  // The location loses what it held.
  void clear(u32 location);
  // A new value of the unit goes to the location: neither has its former one.
  void overwrite(u32 location, u32 unit);
  void add(u32 location, u32 unit);
  // Every location that holds `from` holds `to` as well.
  void addWhere(u32 from, u32 to);
  // Keeps only locations for which `keep(location)` is true.
  template <class Predicate>
  void keepOnly(Predicate&& keep) {
    std::erase_if(held_, [&](u64 key) { return !keep(locationOf(key)); });
  }

  // At the end of a block: forgets the units that only the block itself reads. meet() wants both states like this.
  void settle();
  // Keeps what both hold; returns whether this changed.
  bool meet(const HeldUnits& other);

 private:
  // The location above the unit.
  static u64 keyOf(u32 location, u32 unit) { return u64{location} << 32 | unit; }
  static u32 locationOf(u64 key) { return static_cast<u32>(key >> 32); }
  static u32 unitOf(u64 key) { return static_cast<u32>(key); }
  bool isHeld(u64 key) const;

  const ExposedUnits* exposed_;
  std::vector<u64> held_;  // few: one for each location in use, and one for each copy
  NumberSet undefined_;    // by number of the exposed unit
};

}  // namespace warpwright::compiler
