// How many values are live while the instructions of a basic block are issued in some order.
#pragma once

#include <algorithm>
#include <vector>

#include "compiler/schedule/block_units.hpp"

namespace warpwright::compiler {

// A value is live from its first write in the block to its last read, or to the end of the block where it leaves it.
class Pressure {
 public:
  // units: must outlive it. predicates: how many there are; words hold those that are too many.
  Pressure(const BlockUnits& units, u32 predicates);

  u32 words() const { return wordsFor(live_); }
  u32 mostWords() const { return mostWords_; }
  u32 wordsFor(const Live& live) const { return static_cast<u32>(live.words + std::max(0, live.predicates - predicates_)); }
  bool holdsAllPredicates() const { return live_.predicates >= predicates_; }
  const Live& live() const { return live_; }

  // How many more are live after the instruction, by its number in the block.
  Live change(u32 instruction) const;
  void issue(u32 instruction);

  bool startsBy(u32 unit) const {  // a write of the unit now would make it live
    return !states_[unit].live && (units_->units()[unit].leaves || states_[unit].readsLeft > 0);
  }

 private:
  struct State {
    bool live = false;
    u32 readsLeft = 0;
  };

  const BlockUnits* units_;
  std::vector<State> states_;  // by unit
  s32 predicates_;
  Live live_;
  u32 mostWords_ = 0;
};

// What is left of a block's instructions, in an order that is known to need few words. An instruction that is issued ahead of others makes
// its results live while they are issued, and what they read before it dead behind the last of them.
class RestInOrder {
 public:
  // The order, as indices in the block, and the pressure at the block's beginning. units: must outlive it.
  RestInOrder(const BlockUnits& units, std::vector<u32> order, Pressure pressure);

  // Whether so many words will do for the rest in its order, when the instruction has been issued ahead of it.
  bool hasRoomFor(u32 index, const Pressure& pressure, u32 words) const;
  // To be told before the pressure is.
  void issue(u32 index, const Pressure& pressure);

 private:
  void addBetween(u32 begin, u32 end, u32 unit, s32 count);
  u32 lastRead(u32 unit) const;

  const BlockUnits& units_;
  std::vector<u32> order_, placeOf_;
  std::vector<bool> isIssued_;                // by place in the order
  std::vector<Live> after_;                   // by place: what is live behind it
  std::vector<std::vector<u32>> readPlaces_;  // by unit, ascending
  u32 first_ = 0;                             // place of the first one that is left
};

}  // namespace warpwright::compiler
