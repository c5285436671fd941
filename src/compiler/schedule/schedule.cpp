#include "compiler/schedule/schedule.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "compiler/schedule/dependences.hpp"

namespace warpwright::compiler {
namespace {

struct Live {
  s32 words = 0, predicates = 0;
};

// How many words and predicates are live while the instructions of a block are issued in some order.
class Pressure {
 public:
  Pressure(const MachineFunction& function, const BasicBlock& block, const Liveness& liveness, u32 blockIndex, u32 predicates)
      : function_(function), predicates_(static_cast<s32>(predicates)) {
    liveness.liveIn(blockIndex).forEach([&](u32 unit) {
      if (isCounted(unit)) stateOf(unit).live = true;
    });
    for (u32 i = block.begin; i < block.end; ++i) forEachSourceUnit(function, function.code[i], [&](u32 unit) { ++stateOf(unit).reads; });
    liveness.liveOut(blockIndex).forEach([&](u32 unit) { stateOf(unit).leaves = true; });
    for (const auto& [unit, state] : units_)
      if (state.live) ++countOf(live_, unit);
    mostWords_ = words();
  }

  // Words hold the predicates that are too many.
  u32 words() const { return static_cast<u32>(live_.words + std::max(0, live_.predicates - predicates_)); }
  bool holdsAllPredicates() const { return live_.predicates >= predicates_; }
  u32 mostWords() const { return mostWords_; }

  // How many more are live after the instruction.
  Live change(const MachineInstruction& instruction) {
    Live result;
    forEachDestinationUnit(function_, instruction, [&](u32 unit) {
      const State& state = stateOf(unit);
      if (isCounted(unit) && !state.live && (state.leaves || state.reads > 0)) ++countOf(result, unit);
    });
    for (const u32 unit : read(instruction)) {
      const State& state = stateOf(unit);
      if (state.live && !state.leaves && state.reads == timesRead(instruction, unit)) --countOf(result, unit);
    }
    return result;
  }

  void issue(const MachineInstruction& instruction) {
    forEachSourceUnit(function_, instruction, [&](u32 unit) { --stateOf(unit).reads; });
    for (const u32 unit : read(instruction)) {
      State& state = stateOf(unit);
      if (!state.live || state.leaves || state.reads > 0) continue;
      state.live = false;
      --countOf(live_, unit);
    }
    forEachDestinationUnit(function_, instruction, [&](u32 unit) {
      State& state = stateOf(unit);
      if (!isCounted(unit) || state.live || (!state.leaves && state.reads == 0)) return;
      state.live = true;
      ++countOf(live_, unit);
    });
    mostWords_ = std::max(mostWords_, words());
  }

 private:
  struct State {
    bool live = false, leaves = false;
    u32 reads = 0;  // that are still to be issued
  };

  static bool isCounted(u32 unit) { return unit != kStackWord; }
  s32& countOf(Live& live, u32 unit) const { return unit < function_.words() ? live.words : live.predicates; }
  State& stateOf(u32 unit) { return units_[unit]; }
  std::vector<u32> read(const MachineInstruction& instruction) const {
    std::vector<u32> units;
    forEachSourceUnit(function_, instruction, [&](u32 unit) {
      if (isCounted(unit)) units.push_back(unit);
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
  s32 predicates_;  // that there are
  Live live_;
  u32 mostWords_ = 0;
};

// What is known of a block whatever its order.
struct BlockFacts {
  const MachineFunction& function;
  u32 begin = 0;
  std::vector<std::vector<Dependence>> successors;
  std::vector<u32> heights;  // cycles from the issue of an instruction to the end of the longest chain behind it
  u32 length = 0;            // cycles that the block takes at least

  const MachineInstruction& at(u32 i) const { return function.code[begin + i]; }
  u32 count() const { return static_cast<u32>(successors.size()); }
};

// The block takes as long as its longest chain of latencies, and at least a cycle an instruction and the time of its memory accesses.
BlockFacts findFacts(const MachineFunction& function, const BasicBlock& block, const Liveness& liveness) {
  BlockFacts facts{function, block.begin, findDependences(function, block, liveness), {}, 0};
  const u32 count = facts.count();
  facts.heights.resize(count);
  for (u32 i = count; i-- > 0;)
    for (const Dependence& dependence : facts.successors[i])
      facts.heights[i] = std::max(facts.heights[i], facts.heights[dependence.to] + dependence.latency);
  u32 memoryCycles = 0;
  for (u32 i = 0; i < count; ++i)
    if (const u32 cycles = unitCycles(facts.at(i)); cycles > 1) memoryCycles += cycles;
  facts.length = std::max(count, memoryCycles);
  for (const u32 height : facts.heights) facts.length = std::max(facts.length, height + 1);
  return facts;
}

// An order of a block's instructions, as indices in it, and the most words that are live in it.
struct BlockOrder {
  std::vector<u32> order;
  u32 words = 0;
};

enum class Registers : u8 { plenty, scarce };

// By latency while fewer words are live than the threshold, then by pressure.
class ListScheduler {
 public:
  ListScheduler(const BlockFacts& facts, const Pressure& pressure, Registers registers, u32 threshold)
      : facts_(facts),
        registers_(registers),
        threshold_(threshold),
        length_(facts.length),
        pressure_(pressure),
        waitsFor_(facts.count()),
        earliest_(facts.count()) {}

  BlockOrder run() {
    for (const auto& list : facts_.successors)
      for (const Dependence& dependence : list) ++waitsFor_[dependence.to];
    for (u32 i = 0; i < facts_.count(); ++i)
      if (waitsFor_[i] == 0) ready_.push_back(i);
    BlockOrder result;
    u32 cycle = 0;
    while (!ready_.empty()) {
      const u32 next = pressure_.words() < threshold_ ? nextByLatency(cycle) : nextByPressure(cycle);
      result.order.push_back(next);
      issue(next, cycle);
      ++cycle;
    }
    result.words = pressure_.mostWords();
    return result;
  }

 private:
  // Time passes until something may issue that is worth it.
  u32 nextByLatency(u32& cycle) {
    u32 soonest = kNone;
    for (const u32 i : ready_) soonest = std::min(soonest, earliest(i));
    cycle = std::max(cycle, soonest);
    u32 next = nextAt(cycle);
    while (next == kNone) next = nextAt(++cycle);
    return next;
  }

  // What needs one more predicate than there are comes behind all else that may issue, in the order of the program: it begins what has to
  // be ended first.
  bool exceedsPredicates(const Live& change) const { return change.predicates > 0 && pressure_.holdsAllPredicates(); }

  // Of those that need not wait, the one with the longest way to the end. As long as that one may issue later and the block take no longer,
  // something that needs no more registers goes before it. Arithmetic that needs more of them waits as long as it may (kNone: there is
  // nothing else): its latency is fixed. Loads do not; theirs may turn out longer. While registers are plenty, neither does arithmetic
  // where the block takes as long as it has instructions; where they are scarce, other warps issue in its stead.
  u32 nextAt(u32 cycle) {
    const bool fills = registers_ == Registers::plenty && length_ <= cycle + facts_.count() - issued_;
    u32 highest = kNone, saving = kNone, exceeding = kNone;
    for (const u32 i : ready_) {
      if (earliest(i) > cycle) continue;
      const Live change = pressure_.change(facts_.at(i));
      if (exceedsPredicates(change)) {
        exceeding = std::min(exceeding, i);
        continue;
      }
      const bool saves = change.words <= 0;
      if (saves && isHigher(i, saving)) saving = i;
      const bool waits = !saves && !fills && hasSlack(i, cycle) && unitCycles(facts_.at(i)) == 1;
      if (!waits && isHigher(i, highest)) highest = i;
    }
    if (highest == kNone) return exceeding;
    return saving != kNone && hasSlack(highest, cycle) ? saving : highest;
  }
  bool hasSlack(u32 i, u32 cycle) const { return cycle + facts_.heights[i] + 1 < length_; }
  u32 earliest(u32 i) const { return unitCycles(facts_.at(i)) > 1 ? std::max(earliest_[i], memoryIsFree_) : earliest_[i]; }
  bool isHigher(u32 i, u32 other) const {
    return other == kNone || facts_.heights[i] > facts_.heights[other] || (facts_.heights[i] == facts_.heights[other] && i < other);
  }

  // The one that frees most. Where none frees any, the one that comes first in the program, of which is known that it needs no more words
  // than it does: others would begin what they cannot end.
  u32 nextByPressure(u32& cycle) {
    u32 best = kNone;
    s32 bestWords = 0;
    for (const u32 i : ready_) {
      const s32 words = std::min(pressure_.change(facts_.at(i)).words, 0);
      if (best != kNone && (words > bestWords || (words == bestWords && i > best))) continue;
      best = i;
      bestWords = words;
    }
    cycle = std::max(cycle, earliest(best));
    return best;
  }

  void issue(u32 index, u32 cycle) {
    pressure_.issue(facts_.at(index));
    ++issued_;
    length_ = std::max(length_, cycle + facts_.heights[index] + 1);
    if (const u32 cycles = unitCycles(facts_.at(index)); cycles > 1) memoryIsFree_ = cycle + cycles;
    ready_.erase(std::find(ready_.begin(), ready_.end(), index));
    for (const Dependence& dependence : facts_.successors[index]) {
      earliest_[dependence.to] = std::max(earliest_[dependence.to], cycle + dependence.latency);
      if (--waitsFor_[dependence.to] == 0) ready_.push_back(dependence.to);
    }
  }

  const BlockFacts& facts_;
  Registers registers_;
  u32 threshold_;         // words
  u32 predicates_;        // that there are
  u32 length_;            // cycles that the block takes at least, now that some of it has been ordered
  u32 memoryIsFree_ = 0;  // cycle
  u32 issued_ = 0;
  Pressure pressure_;
  std::vector<u32> waitsFor_, earliest_, ready_;
};

class BlockScheduler {
 public:
  BlockScheduler(const MachineFunction& function, const BasicBlock& block, const Liveness& liveness, u32 blockIndex, u32 registers,
                 u32 predicates)
      : registers_(registers), facts_(findFacts(function, block, liveness)), pressure_(function, block, liveness, blockIndex, predicates) {}

  // What was begun while there were registers has to be ended without them, so that the greedy choice by pressure may come too late. Then
  // the largest threshold is searched with which it does not; if there is none, the order with the fewest words.
  std::vector<u32> run() const {
    BlockOrder best = withThreshold(Registers::plenty, registers_);
    if (best.words <= registers_) return best.order;
    best = withFewestWords();
    for (u32 enough = 0, tooMany = registers_ + 1; enough + 1 < tooMany;) {
      const u32 threshold = (enough + tooMany) / 2;
      BlockOrder order = withThreshold(Registers::scarce, threshold);
      const bool fits = order.words <= registers_;
      (fits ? enough : tooMany) = threshold;
      if (fits) best = std::move(order);
    }
    return best.order;
  }

 private:
  BlockOrder withThreshold(Registers registers, u32 threshold) const {
    return ListScheduler(facts_, pressure_, registers, threshold).run();
  }

  BlockOrder withFewestWords() const {
    BlockOrder greedy = withThreshold(Registers::scarce, 0);
    Pressure pressure = pressure_;
    for (u32 i = 0; i < facts_.count(); ++i) pressure.issue(facts_.at(i));
    if (greedy.words < pressure.mostWords()) return greedy;
    BlockOrder original{std::vector<u32>(facts_.count()), pressure.mostWords()};
    std::iota(original.order.begin(), original.order.end(), 0);
    return original;
  }

  u32 registers_;
  BlockFacts facts_;
  Pressure pressure_;  // at the beginning of the block
};

}  // namespace

void schedule(MachineFunction& function, u32 registers, u32 predicates) {
  const ControlFlow flow = buildControlFlow(function);
  const Liveness liveness(function, flow);
  std::vector<MachineInstruction> code;
  code.reserve(function.code.size());
  for (u32 b = 0; b < flow.blocks.size(); ++b) {
    const BasicBlock& block = flow.blocks[b];
    const std::vector<u32> order = BlockScheduler(function, block, liveness, b, registers, predicates).run();
    for (const u32 i : order) code.push_back(function.code[block.begin + i]);
  }
  // Labels stand at the beginnings of blocks, which have not moved.
  function.code = std::move(code);
}

}  // namespace warpwright::compiler
