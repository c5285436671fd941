#include "compiler/control_bits/control_bits.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "compiler/control_bits/code_blocks.hpp"
#include "compiler/control_bits/counter_choice.hpp"
#include "compiler/control_bits/issue_effects.hpp"
#include "compiler/control_bits/operand_reuse.hpp"

namespace warpwright::compiler {
namespace {

using isa::ControlBits;
using isa::Production;

// Cycles from the issue of an instruction until the counters that it makes go up are seen to.
constexpr u32 kSeesCounters = 2;

// What may be under way at a place in the code.
struct Pending {
  // By the pipe of who reads, and unit: the time from which it may be read.
  std::array<std::array<u32, kIssueUnits>, isa::kResultPipes> ready{};
  std::array<u32, kIssueUnits> guards{};  // … from which it may guard, as far as it is a predicate
  u32 access = 0;                         // the time from which a memory instruction may issue
  std::array<u8, kIssueUnits> writers{};  // … the counters, as bits, of those that will write it
  std::array<u8, kIssueUnits> readers{};  // … of those that have yet to read it

  // From when on all may be read.
  u32 last() const {
    u32 last = 0;
    for (const auto& units : ready) last = std::max(last, *std::ranges::max_element(units));
    return last;
  }
  void noLongerWait(u8 counters) {
    if (counters == 0) return;
    for (u8& bits : writers) bits &= static_cast<u8>(~counters);
    for (u8& bits : readers) bits &= static_cast<u8>(~counters);
  }
  // Whether it becomes more by what may be under way at another end of the way here, as seen from there at time `now`.
  bool merge(const Pending& other, u32 now) {
    bool grew = false;
    const auto raise = [&](auto& into, auto value) {
      if ((grew |= into != value)) into = value;
    };
    raise(access, std::max(access, std::max(other.access, now) - now));
    for (u32 unit = 0; unit < kIssueUnits; ++unit) {
      for (std::size_t to = 0; to < isa::kResultPipes; ++to)
        raise(ready[to][unit], std::max(ready[to][unit], std::max(other.ready[to][unit], now) - now));
      raise(guards[unit], std::max(guards[unit], std::max(other.guards[unit], now) - now));
      raise(writers[unit], static_cast<u8>(writers[unit] | other.writers[unit]));
      raise(readers[unit], static_cast<u8>(readers[unit] | other.readers[unit]));
    }
    return grew;
  }
};

class FunctionBits {
 public:
  FunctionBits(const CodeBlocks& code, std::span<const IssueEffects> effects, std::span<ControlBits> control)
      : code_(code), effects_(effects), control_(control), atEntry_(code.blocks.size()), isStale_(code.blocks.size(), true) {}

  // What may be under way at a block's beginning only grows, so that this comes to an end.
  void run() {
    const std::vector<u32> order = reversePostorder(code_.successors, 0);
    for (bool changed = true; changed;) {
      changed = false;
      for (const u32 block : order) {
        if (!isStale_[block]) continue;
        isStale_[block] = false;
        changed = true;
        follow(block);
      }
    }
  }

 private:
  void follow(u32 block) {
    Pending pending = atEntry_[block];
    u32 now = 0;
    for (u32 i = code_.blocks[block].begin; i < code_.blocks[block].end; ++i) {
      control_[i].waits = waitsOf(i, pending);
      pending.noLongerWait(control_[i].waits);
      issue(i, pending, now);
      control_[i].stall = static_cast<u8>(distanceBehind(block, i, pending, now));
      now += std::max<u32>(control_[i].stall, effects_[i].leastDistance);
    }
    for (const u32 next : code_.successors[block])
      if (atEntry_[next].merge(pending, now)) isStale_[next] = true;
  }

  // The counters that it has to find at 0.
  u8 waitsOf(u32 i, const Pending& pending) const {
    const IssueEffects& each = effects_[i];
    u8 counters = 0;
    if (each.awaitsAll) {
      for (u32 unit = 0; unit < kIssueUnits; ++unit) counters |= pending.writers[unit] | pending.readers[unit];
      return counters;
    }
    for (const u32 unit : each.sources) counters |= pending.writers[unit];
    for (const u32 unit : each.destinations) counters |= pending.writers[unit] | pending.readers[unit];
    return counters;
  }

  void issue(u32 i, Pending& pending, u32 now) const {
    const IssueEffects& each = effects_[i];
    const ControlBits& bits = control_[i];
    if (each.isAccess) pending.access = now + each.accessDistance;
    for (const u32 unit : each.destinations) {
      for (std::size_t to = 0; to < isa::kResultPipes && each.production == Production::fixed; ++to)
        pending.ready[to][unit] = std::max(pending.ready[to][unit], now + each.latency[to]);
      if (unit >= kRegisterUnits) pending.guards[unit] = std::max(pending.guards[unit], now + each.guardLatency);
      if (each.production == Production::variable) pending.writers[unit] |= static_cast<u8>(ControlBits::bitOf(bits.writeCounter));
    }
    // Who has the result has read the operands.
    const u8 reading = bits.readCounter != ControlBits::kNoCounter ? bits.readCounter : bits.writeCounter;
    if (!each.readsLater || reading == ControlBits::kNoCounter) return;
    for (const u32 unit : each.sources)
      if (unit < kRegisterUnits) pending.readers[unit] |= static_cast<u8>(ControlBits::bitOf(reading));
  }

  // Cycles from the issue of instruction i until whatever comes behind it may issue.
  u32 distanceBehind(u32 block, u32 i, const Pending& pending, u32 now) const {
    u32 earliest = now + 1;
    if (effects_[i].awaitsAll) earliest = std::max({earliest, pending.last(), *std::ranges::max_element(pending.guards)});
    const auto await = [&](u32 follower) {
      earliest = std::max(earliest, earliestOf(follower, pending));
      if ((waitsOf(follower, pending) & control_[i].counted()) != 0) earliest = std::max(earliest, now + kSeesCounters);
    };
    if (i + 1 < code_.blocks[block].end) {
      await(i + 1);
    } else {
      for (const u32 next : code_.successors[block]) await(code_.blocks[next].begin);
      // What comes next may wait for a counter for the sake of another way to it, and has to see this one, too.
      if (control_[i].counts()) earliest = std::max(earliest, now + kSeesCounters);
    }
    return std::min(earliest - now, isa::kMostStall);
  }

  // As far as results of fixed latencies tell. Results of one register have to come in the order of the code.
  u32 earliestOf(u32 i, const Pending& pending) const {
    const IssueEffects& each = effects_[i];
    u32 earliest = 0;
    for (const u32 unit : each.sources) earliest = std::max(earliest, pending.ready[static_cast<std::size_t>(each.pipe)][unit]);
    if (each.isAccess) earliest = std::max(earliest, pending.access);
    if (each.guard != kIssueUnits) earliest = std::max(earliest, pending.guards[each.guard]);
    for (const u32 unit : each.destinations) {
      const u32 ready = pending.ready[static_cast<std::size_t>(each.pipe)][unit];
      earliest = std::max(earliest, each.production == Production::fixed ? std::max(ready + 1, each.ownLatency) - each.ownLatency : ready);
    }
    return earliest;
  }

  const CodeBlocks& code_;
  std::span<const IssueEffects> effects_;
  std::span<ControlBits> control_;
  std::vector<Pending> atEntry_;
  std::vector<bool> isStale_;
};

}  // namespace

void assignControlBits(isa::Program& program, const isa::IssueTiming& timing) {
  program.control.assign(program.code.size(), {.stall = 1});
  for (const isa::Function& function : program.functions) {
    if (function.begin == function.end) continue;
    const std::span<ControlBits> control(program.control.data() + function.begin, function.end - function.begin);
    const std::vector<IssueEffects> effects = issueEffects(program, function, timing);
    const CodeBlocks code = codeBlocks(program, function);
    chooseCounters(effects, code.reachableFrom, control);
    FunctionBits(code, effects, control).run();
    if (timing.operandBanks != 0) markReuse(program, function, code, effects, timing.operandBanks, control);
  }
}

}  // namespace warpwright::compiler
