#include "compiler/control_bits/counter_choice.hpp"

#include <algorithm>
#include <array>

namespace warpwright::compiler {
namespace {

constexpr u32 kNoPosition = ~u32{0};

// Positions of the first instructions behind a producer that have to wait for it, in code order.
struct Demand {
  u32 consumer = kNoPosition;    // reads or overwrites the result
  u32 overwriter = kNoPosition;  // of a register that it reads
  bool isOverwritten = false;    // … somewhere, be it in another round of a loop
};

std::vector<Demand> demandsOf(std::span<const IssueEffects> effects, std::span<const u32> from) {
  std::array<u32, kIssueUnits> touched, written, lastWritten;
  touched.fill(kNoPosition);
  written.fill(kNoPosition);
  lastWritten.fill(kNoPosition);
  u32 nextWall = kNoPosition, lastWall = kNoPosition;
  std::vector<Demand> demands(effects.size());
  for (u32 i = static_cast<u32>(effects.size()); i-- > 0;) {
    const IssueEffects& each = effects[i];
    Demand& demand = demands[i];
    demand.consumer = nextWall;
    for (const u32 unit : each.destinations) demand.consumer = std::min(demand.consumer, touched[unit]);
    for (const u32 unit : each.sources) {
      if (unit < kRegisterUnits) demand.overwriter = std::min(demand.overwriter, written[unit]);
    }
    for (const u32 unit : each.destinations) {
      touched[unit] = written[unit] = i;
      if (lastWritten[unit] == kNoPosition) lastWritten[unit] = i;
    }
    for (const u32 unit : each.sources) touched[unit] = i;
    if (!each.awaitsAll) continue;
    nextWall = i;
    if (lastWall == kNoPosition) lastWall = i;
  }
  const auto isReached = [&](u32 i, u32 position) { return position != kNoPosition && position >= from[i]; };
  for (u32 i = 0; i < effects.size(); ++i) {
    demands[i].isOverwritten = isReached(i, lastWall);
    for (const u32 unit : effects[i].sources) demands[i].isOverwritten |= unit < kRegisterUnits && isReached(i, lastWritten[unit]);
  }
  return demands;
}

// Whether a register that the instruction reads late is overwritten before its result, if it has one, is waited for.
bool losesOperand(const IssueEffects& each, const Demand& demand) {
  if (each.production != isa::Production::variable || !each.readsLater) return false;
  return each.destinations.empty() ? demand.isOverwritten : demand.overwriter < demand.consumer;
}

class ResultCounters {
 public:
  explicit ResultCounters(u32 count) : counters_(count) {}

  // For a producer at `position` that is waited for at `until` first.
  u8 take(u32 position, u32 until) {
    const u32 counter = choose(position, until);
    Counter& chosen = counters_[counter];
    chosen.until = isFree(chosen, position) ? until : std::min(chosen.until, until);
    chosen.uses = position + 1;
    return static_cast<u8>(counter);
  }

 private:
  struct Counter {
    u32 until = 0;  // the position of the first that waits for it
    u32 uses = 0;   // the position behind the last that counts it
  };

  static bool isFree(const Counter& counter, u32 position) { return counter.until <= position; }

  u32 choose(u32 position, u32 until) const {
    u32 free = kNoPosition, latest = 0;
    for (u32 c = 0; c < counters_.size(); ++c) {
      const Counter& counter = counters_[c];
      if (!isFree(counter, position)) {
        if (counter.until == until) return c;
        if (counter.until > counters_[latest].until || isFree(counters_[latest], position)) latest = c;
      } else if (free == kNoPosition || counter.uses < counters_[free].uses) {
        free = c;
      }
    }
    return free != kNoPosition ? free : latest;
  }

  std::vector<Counter> counters_;
};

}  // namespace

void chooseCounters(std::span<const IssueEffects> effects, std::span<const u32> from, std::span<isa::ControlBits> control) {
  constexpr u8 kOfOperands = isa::kDependenceCounters - 1;
  const std::vector<Demand> demands = demandsOf(effects, from);
  bool anyOperand = false;
  for (u32 i = 0; i < effects.size(); ++i) {
    if (!losesOperand(effects[i], demands[i])) continue;
    control[i].readCounter = kOfOperands;
    anyOperand = true;
  }
  ResultCounters counters(anyOperand ? kOfOperands : isa::kDependenceCounters);
  for (u32 i = 0; i < effects.size(); ++i) {
    if (effects[i].production == isa::Production::variable && !effects[i].destinations.empty())
      control[i].writeCounter = counters.take(i, demands[i].consumer);
  }
}

}  // namespace warpwright::compiler
