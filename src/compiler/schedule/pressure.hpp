// How many values are live while the instructions of a basic block are issued in some order.
#pragma once

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "compiler/liveness.hpp"

namespace warpwright::compiler {

struct Live {
  s32 words = 0, predicates = 0;
};

// A value is live from its first write in the block to its last read, or to the end of the block where it leaves it.
class Pressure {
 public:
  // predicates: how many there are; words hold those that are too many.
  Pressure(const MachineFunction& function, const BasicBlock& block, const Liveness& liveness, u32 blockIndex, u32 predicates);

  u32 words() const { return wordsFor(live_); }
  u32 mostWords() const { return mostWords_; }
  u32 wordsFor(const Live& live) const { return static_cast<u32>(live.words + std::max(0, live.predicates - predicates_)); }
  bool holdsAllPredicates() const { return live_.predicates >= predicates_; }
  const Live& live() const { return live_; }

  // How many more are live after the instruction.
  Live change(const MachineInstruction& instruction) const;
  void issue(const MachineInstruction& instruction);

  bool startsBy(u32 unit) const;  // a write of the unit now would make it live
  bool leaves(u32 unit) const { return stateOf(unit).leaves; }
  // What the instruction reads, each unit once.
  std::vector<u32> read(const MachineInstruction& instruction) const;
  static bool isCounted(u32 unit) { return unit != kStackWord; }
  s32& countOf(Live& live, u32 unit) const { return unit < function_.words() ? live.words : live.predicates; }

 private:
  struct State {
    bool live = false, leaves = false;
    u32 reads = 0;  // that are still to be issued
  };

  State stateOf(u32 unit) const;
  u32 timesRead(const MachineInstruction& instruction, u32 wanted) const;

  const MachineFunction& function_;
  std::unordered_map<u32, State> units_;
  s32 predicates_;
  Live live_;
  u32 mostWords_ = 0;
};

// What is left of a block's instructions, in an order that is known to need few words. An instruction that is issued ahead of others makes
// its results live while they are issued, and what they read before it dead behind the last of them.
class RestInOrder {
 public:
  // The order, as indices in the block, and the pressure at the block's beginning.
  RestInOrder(const MachineFunction& function, const BasicBlock& block, std::vector<u32> order, Pressure pressure);

  // Whether so many words will do for the rest in its order, when the instruction has been issued ahead of it.
  bool hasRoomFor(u32 index, const Pressure& pressure, u32 words) const;
  // To be told before the pressure is.
  void issue(u32 index, const Pressure& pressure);

 private:
  const MachineInstruction& at(u32 index) const { return function_.code[blockBegin_ + index]; }
  void addBetween(u32 begin, u32 end, u32 unit, s32 count, const Pressure& pressure);
  u32 lastRead(u32 unit) const;

  const MachineFunction& function_;
  u32 blockBegin_;
  std::vector<u32> order_, placeOf_;
  std::vector<bool> isIssued_;                            // by place in the order
  std::vector<Live> after_;                               // by place: what is live behind it
  std::unordered_map<u32, std::vector<u32>> readPlaces_;  // by unit, ascending
  u32 first_ = 0;                                         // place of the first one that is left
};

}  // namespace warpwright::compiler
