#include <algorithm>
#include <bit>

#include "mem/dram/schedule.hpp"

namespace warpwright::mem::dram {

namespace {

constexpr u64 kRowCommandRank = u64{1} << 63;

// Smaller goes first.
u64 rank(const BankStep& step) { return contains(kColumnCommands, step.command) ? step.number : step.number | kRowCommandRank; }

class FrFcfs final : public Scheduler {
 public:
  Proposal propose(const Situation& situation) override;
};

Proposal FrFcfs::propose(const Situation& situation) {
  const Timing& timing = situation.timing;
  u64 bestRank = ~u64{0};
  DramTick soonest = Proposal::kNone;
  u32 best = 0;
  for (u64 banks = situation.banks; banks != 0; banks &= banks - 1) {
    const auto bank = static_cast<u32>(std::countr_zero(banks));
    const BankStep& step = situation.steps[bank];
    if (situation.isHeld(step.command, step.access)) continue;
    const DramTick shared = std::max(timing.earliestInRank(step.command, step.rank), timing.earliestInGroup(step.command, step.group));
    const DramTick ready = std::max(step.ready, shared);
    const u64 stepRank = ready <= situation.now ? rank(step) : ~u64{0};
    soonest = std::min(soonest, ready);
    best = stepRank < bestRank ? bank : best;
    bestRank = std::min(bestRank, stepRank);
  }
  if (bestRank == ~u64{0}) return {Command::activate, kNoAccess, soonest};
  const BankStep& step = situation.steps[best];
  return {step.command, step.access, situation.now};
}

}  // namespace

extern const SchedulerEntry kFrFcfs;
constinit const SchedulerEntry kFrFcfs{
    {.name = "fr_fcfs",
     .text = "First ready, first come, first served: row hits before other accesses, among each the oldest; a row stays open as long as "
             "accesses to it wait.",
     .source = "Rixner and others, \"Memory Access Scheduling\", ISCA 2000"},
    [](const std::any&, const config::Dram&) -> std::unique_ptr<Scheduler> { return std::make_unique<FrFcfs>(); }};

}  // namespace warpwright::mem::dram
