// Which units the instructions of a basic block read and write, worked out once: a scheduler asks for each candidate again and again.
#pragma once

#include <span>
#include <vector>

#include "compiler/liveness.hpp"

namespace warpwright::compiler {

// Values that are live at a time.
struct Live {
  s32 words = 0, predicates = 0;
};

// Units are those that take a place: all but the stack's. Each has a number in the block; instructions are counted from its beginning.
class BlockUnits {
 public:
  struct Unit {
    bool isWord = false;  // else a predicate
    bool comes = false;   // live at the block's beginning
    bool leaves = false;  // live at its end
    u32 reads = 0;        // by all of its instructions
  };
  struct Read {
    u32 unit = 0, times = 0;
  };

  BlockUnits(const MachineFunction& function, const BasicBlock& block, const Liveness& liveness, u32 blockIndex);

  std::span<const Unit> units() const { return units_; }
  // Each unit once.
  std::span<const Read> reads(u32 instruction) const { return part(reads_, readsEnd_, instruction); }
  std::span<const u32> writes(u32 instruction) const { return part(writes_, writesEnd_, instruction); }
  // What is live at the block's beginning, units that no instruction names included.
  const Live& coming() const { return coming_; }
  s32& countOf(Live& live, u32 unit) const { return units_[unit].isWord ? live.words : live.predicates; }

 private:
  template <class T>
  static std::span<const T> part(const std::vector<T>& all, const std::vector<u32>& ends, u32 index) {
    const u32 begin = index == 0 ? 0 : ends[index - 1];
    return std::span(all).subspan(begin, ends[index] - begin);
  }
  void addRead(u32 unit, u32 firstOfInstruction);

  std::vector<Unit> units_;
  std::vector<Read> reads_;
  std::vector<u32> writes_;
  std::vector<u32> readsEnd_, writesEnd_;  // by instruction
  Live coming_;
};

}  // namespace warpwright::compiler
