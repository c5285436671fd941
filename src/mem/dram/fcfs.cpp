#include <algorithm>
#include <bit>

#include "mem/dram/schedule.hpp"

namespace warpwright::mem::dram {
namespace {

class Fcfs final : public Scheduler {
 public:
  Proposal propose(const Situation& situation) override;
};

Proposal Fcfs::propose(const Situation& situation) {
  const BankQueues& queues = situation.queues;
  AccessId oldest = kNoAccess;
  for (u64 banks = queues.waiting(); banks != 0; banks &= banks - 1) {
    const AccessId id = queues.oldest(static_cast<u32>(std::countr_zero(banks)));
    if (oldest == kNoAccess || queues[id].number < queues[oldest].number) oldest = id;
  }
  // No other access overtakes the oldest while its rank is refreshed.
  const bool isServed = oldest != kNoAccess && (situation.banks >> queues[oldest].location.bank & 1) != 0;
  if (!isServed) return {};
  const Access& access = queues[oldest];
  const Command command = queues.nextCommand(oldest);
  if (situation.isHeld(command, oldest)) return {};
  return {command, oldest, std::max(situation.timing.earliest(command, access.location), access.notBefore)};
}

}  // namespace

extern const SchedulerEntry kFcfs;
constinit const SchedulerEntry kFcfs{
    {.name = "fcfs",
     .text = "First come, first served: every command serves the oldest access.",
     .source = "Rixner and others, \"Memory Access Scheduling\", ISCA 2000 (in-order)"},
    [](const std::any&, const config::Dram&) -> std::unique_ptr<Scheduler> { return std::make_unique<Fcfs>(); }};

}  // namespace warpwright::mem::dram
