#include "compiler/schedule/schedule.hpp"

#include <algorithm>
#include <unordered_map>

#include "compiler/schedule/dependences.hpp"

namespace warpwright::compiler {
namespace {

// How many words are live while the instructions of a block are issued in some order.
class Pressure {
 public:
  Pressure(const MachineFunction& function, const BasicBlock& block, const Liveness& liveness, u32 blockIndex) : function_(function) {
    liveness.liveIn(blockIndex).forEach([&](u32 unit) {
      if (isWord(unit)) stateOf(unit).live = true;
    });
    for (u32 i = block.begin; i < block.end; ++i) forEachSourceUnit(function, function.code[i], [&](u32 unit) { ++stateOf(unit).reads; });
    liveness.liveOut(blockIndex).forEach([&](u32 unit) { stateOf(unit).leaves = true; });
    for (const auto& [unit, state] : units_) live_ += state.live;
    most_ = live_;
  }

  u32 live() const { return live_; }
  u32 most() const { return most_; }

  // How many more words are live after the instruction.
  s32 change(const MachineInstruction& instruction) {
    s32 result = 0;
    forEachDestinationUnit(function_, instruction, [&](u32 unit) {
      const State& state = stateOf(unit);
      result += isWord(unit) && !state.live && (state.leaves || state.reads > 0);
    });
    for (const u32 unit : read(instruction)) {
      const State& state = stateOf(unit);
      result -= state.live && !state.leaves && state.reads == timesRead(instruction, unit);
    }
    return result;
  }

  void issue(const MachineInstruction& instruction) {
    forEachSourceUnit(function_, instruction, [&](u32 unit) { --stateOf(unit).reads; });
    for (const u32 unit : read(instruction)) {
      State& state = stateOf(unit);
      if (!state.live || state.leaves || state.reads > 0) continue;
      state.live = false;
      --live_;
    }
    forEachDestinationUnit(function_, instruction, [&](u32 unit) {
      State& state = stateOf(unit);
      if (!isWord(unit) || state.live || (!state.leaves && state.reads == 0)) return;
      state.live = true;
      ++live_;
    });
    most_ = std::max(most_, live_);
  }

 private:
  struct State {
    bool live = false, leaves = false;
    u32 reads = 0;  // that are still to be issued
  };

  bool isWord(u32 unit) const { return unit < function_.words() && unit != kStackWord; }
  State& stateOf(u32 unit) { return units_[unit]; }
  std::vector<u32> read(const MachineInstruction& instruction) const {
    std::vector<u32> units;
    forEachSourceUnit(function_, instruction, [&](u32 unit) {
      if (isWord(unit)) units.push_back(unit);
    });
    std::sort(units.begin(), units.end());
    units.erase(std::unique(units.begin(), units.end()), units.end());
    return units;
  }
  u32 timesRead(const MachineInstruction& instruction, u32 wanted) const {
    u32 times = 0;
    forEachSourceUnit(function_, instruction, [&](u32 unit) { times += unit == wanted; });
    return times;
  }

  const MachineFunction& function_;
  std::unordered_map<u32, State> units_;
  u32 live_ = 0, most_ = 0;
};

class BlockScheduler {
 public:
  BlockScheduler(const MachineFunction& function, const BasicBlock& block, const Liveness& liveness, u32 blockIndex, u32 registers)
      : function_(function),
        block_(block),
        registers_(registers),
        successors_(findDependences(function, block, liveness)),
        pressure_(function, block, liveness, blockIndex),
        original_(pressure_),
        waitsFor_(successors_.size()),
        earliest_(successors_.size()) {}

  // The new order, as indices in the block; empty: the old one is as good.
  std::vector<u32> run() {
    findHeights();
    for (const auto& list : successors_)
      for (const Dependence& dependence : list) ++waitsFor_[dependence.to];
    for (u32 i = 0; i < successors_.size(); ++i)
      if (waitsFor_[i] == 0) ready_.push_back(i);
    std::vector<u32> order;
    u32 cycle = 0;
    while (!ready_.empty()) {
      const u32 next = pressure_.live() < registers_ ? nextByLatency(cycle) : nextByPressure();
      order.push_back(next);
      issue(next, cycle);
      ++cycle;
    }
    for (u32 i = 0; i < successors_.size(); ++i) original_.issue(at(i));
    if (pressure_.most() > registers_ && pressure_.most() >= original_.most()) return {};
    return order;
  }

 private:
  const MachineInstruction& at(u32 i) const { return function_.code[block_.begin + i]; }

  // The block takes as long as its longest chain of latencies, and at least a cycle an instruction and the time of its memory accesses.
  void findHeights() {
    const u32 count = static_cast<u32>(successors_.size());
    heights_.resize(count);
    for (u32 i = count; i-- > 0;)
      for (const Dependence& dependence : successors_[i]) heights_[i] = std::max(heights_[i], heights_[dependence.to] + dependence.latency);
    u32 memoryCycles = 0;
    for (u32 i = 0; i < count; ++i)
      if (const u32 cycles = unitCycles(at(i)); cycles > 1) memoryCycles += cycles;
    length_ = std::max(count, memoryCycles);
    for (const u32 height : heights_) length_ = std::max(length_, height + 1);
  }

  // Time passes until something may issue that is worth it.
  u32 nextByLatency(u32& cycle) {
    u32 soonest = kNone;
    for (const u32 i : ready_) soonest = std::min(soonest, earliest(i));
    cycle = std::max(cycle, soonest);
    u32 next = nextAt(cycle);
    while (next == kNone) next = nextAt(++cycle);
    return next;
  }

  // Of those that need not wait, the one with the longest way to the end. As long as that one may issue later and the block take no longer,
  // something that needs no more registers goes before it. Arithmetic that needs more of them waits as long as it may (kNone: there is
  // nothing else): its latency is fixed. Loads do not; theirs may turn out longer.
  u32 nextAt(u32 cycle) {
    const bool fills = length_ <= cycle + static_cast<u32>(successors_.size()) - issued_;
    u32 highest = kNone, saving = kNone;
    for (const u32 i : ready_) {
      if (earliest(i) > cycle) continue;
      const bool saves = pressure_.change(at(i)) <= 0;
      if (saves && isHigher(i, saving)) saving = i;
      const bool waits = !saves && !fills && hasSlack(i, cycle) && unitCycles(at(i)) == 1;
      if (!waits && isHigher(i, highest)) highest = i;
    }
    if (highest == kNone) return kNone;
    return saving != kNone && hasSlack(highest, cycle) ? saving : highest;
  }
  bool hasSlack(u32 i, u32 cycle) const { return cycle + heights_[i] + 1 < length_; }
  u32 earliest(u32 i) const { return unitCycles(at(i)) > 1 ? std::max(earliest_[i], memoryIsFree_) : earliest_[i]; }
  bool isHigher(u32 i, u32 other) const {
    return other == kNone || heights_[i] > heights_[other] || (heights_[i] == heights_[other] && i < other);
  }

  // The one that frees most; of several, the one that comes first in the program.
  u32 nextByPressure() {
    u32 best = kNone;
    s32 bestChange = 0;
    for (const u32 i : ready_) {
      const s32 change = pressure_.change(at(i));
      if (best != kNone && (change > bestChange || (change == bestChange && i > best))) continue;
      best = i;
      bestChange = change;
    }
    return best;
  }

  void issue(u32 index, u32 cycle) {
    pressure_.issue(at(index));
    ++issued_;
    if (const u32 cycles = unitCycles(at(index)); cycles > 1) memoryIsFree_ = cycle + cycles;
    ready_.erase(std::find(ready_.begin(), ready_.end(), index));
    for (const Dependence& dependence : successors_[index]) {
      earliest_[dependence.to] = std::max(earliest_[dependence.to], cycle + dependence.latency);
      if (--waitsFor_[dependence.to] == 0) ready_.push_back(dependence.to);
    }
  }

  const MachineFunction& function_;
  const BasicBlock& block_;
  u32 registers_;
  u32 length_ = 0, memoryIsFree_ = 0;  // cycles
  u32 issued_ = 0;
  std::vector<std::vector<Dependence>> successors_;
  Pressure pressure_, original_;
  std::vector<u32> waitsFor_, earliest_, heights_, ready_;
};

}  // namespace

void schedule(MachineFunction& function, u32 registers) {
  const ControlFlow flow = buildControlFlow(function);
  const Liveness liveness(function, flow);
  std::vector<MachineInstruction> code;
  code.reserve(function.code.size());
  for (u32 b = 0; b < flow.blocks.size(); ++b) {
    const BasicBlock& block = flow.blocks[b];
    const std::vector<u32> order = BlockScheduler(function, block, liveness, b, registers).run();
    for (u32 i = 0; i < block.end - block.begin; ++i) code.push_back(function.code[block.begin + (order.empty() ? i : order[i])]);
  }
  // Labels stand at the beginnings of blocks, which have not moved.
  function.code = std::move(code);
}

}  // namespace warpwright::compiler
