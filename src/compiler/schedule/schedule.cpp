#include "compiler/schedule/schedule.hpp"

#include <algorithm>
#include <numeric>

#include "compiler/schedule/dependences.hpp"
#include "compiler/schedule/pressure.hpp"

namespace warpwright::compiler {
namespace {

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

// Words are few where an order is given; then nothing goes ahead of it that would make the rest of it need more words than there are.
class ListScheduler {
 public:
  ListScheduler(const BlockFacts& facts, const Pressure& pressure, u32 words, RestInOrder* rest)
      : facts_(facts),
        words_(words),
        rest_(rest),
        length_(facts.length),
        pressure_(pressure),
        waitsFor_(facts.count()),
        earliest_(facts.count()) {}

  // By latency while fewer words are live than there are, then by pressure.
  BlockOrder run() {
    for (const auto& list : facts_.successors)
      for (const Dependence& dependence : list) ++waitsFor_[dependence.to];
    for (u32 i = 0; i < facts_.count(); ++i)
      if (waitsFor_[i] == 0) ready_.push_back(i);
    BlockOrder result;
    u32 cycle = 0;
    while (!ready_.empty()) {
      const bool byLatency = rest_ != nullptr || pressure_.words() < words_;
      const u32 next = byLatency ? nextByLatency(cycle) : nextByPressure(cycle);
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
    for (const u32 i : ready_)
      if (mayIssue(i)) soonest = std::min(soonest, earliest(i));
    cycle = std::max(cycle, soonest);
    u32 next = nextAt(cycle);
    while (next == kNone) next = nextAt(++cycle);
    return next;
  }

  bool mayIssue(u32 i) const { return rest_ == nullptr || rest_->hasRoomFor(i, pressure_, words_); }

  // What needs one more predicate than there are comes behind all else that may issue, in the order of the program: it begins what has to
  // be ended first.
  bool exceedsPredicates(const Live& change) const { return change.predicates > 0 && pressure_.holdsAllPredicates(); }

  // Of those that need not wait, the one with the longest way to the end. As long as that one may issue later and the block take no longer,
  // something that needs no more registers goes before it. Arithmetic that needs more of them waits as long as it may (kNone: there is
  // nothing else): its latency is fixed. Loads do not; theirs may turn out longer. While words are many, neither does arithmetic where
  // the block takes as long as it has instructions; where they are few, other warps issue in its stead.
  u32 nextAt(u32 cycle) {
    const bool fills = rest_ == nullptr && length_ <= cycle + facts_.count() - issued_;
    u32 highest = kNone, saving = kNone, exceeding = kNone;
    for (const u32 i : ready_) {
      if (earliest(i) > cycle || !mayIssue(i)) continue;
      const Live change = pressure_.change(i);
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
      const s32 words = std::min(pressure_.change(i).words, 0);
      if (best != kNone && (words > bestWords || (words == bestWords && i > best))) continue;
      best = i;
      bestWords = words;
    }
    cycle = std::max(cycle, earliest(best));
    return best;
  }

  void issue(u32 index, u32 cycle) {
    if (rest_ != nullptr) rest_->issue(index, pressure_);
    pressure_.issue(index);
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
  u32 words_;             // that there are
  RestInOrder* rest_;     // null: words are many
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
      : registers_(registers),
        facts_(findFacts(function, block, liveness)),
        units_(function, block, liveness, blockIndex),
        pressure_(units_, predicates) {}
  BlockScheduler(const BlockScheduler&) = delete;
  BlockScheduler& operator=(const BlockScheduler&) = delete;

  // What was begun while there were registers has to be ended without them, so that the greedy choice by pressure may come too late. Then
  // loads go ahead of an order with few words as far as the registers allow.
  std::vector<u32> run() const {
    BlockOrder best = ListScheduler(facts_, pressure_, registers_, nullptr).run();
    if (best.words <= registers_) return best.order;
    best = withFewestWords();
    if (best.words > registers_) return best.order;
    RestInOrder rest(units_, best.order, pressure_);
    return ListScheduler(facts_, pressure_, registers_, &rest).run().order;
  }

 private:
  BlockOrder withFewestWords() const {
    BlockOrder greedy = ListScheduler(facts_, pressure_, 0, nullptr).run();
    Pressure pressure = pressure_;
    for (u32 i = 0; i < facts_.count(); ++i) pressure.issue(i);
    if (greedy.words < pressure.mostWords()) return greedy;
    BlockOrder original{std::vector<u32>(facts_.count()), pressure.mostWords()};
    std::iota(original.order.begin(), original.order.end(), 0);
    return original;
  }

  u32 registers_;
  BlockFacts facts_;
  BlockUnits units_;
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
