#include <algorithm>
#include <bit>

#include "mem/dram/schedule.hpp"

namespace warpwright::mem::dram {

Proposal proposeFcfs(const Situation& situation) {
  const BankQueues& queues = situation.queues;
  AccessId oldest = kNoAccess;
  for (u64 banks = queues.waiting(); banks != 0; banks &= banks - 1) {
    const AccessId id = queues.oldest(static_cast<u32>(std::countr_zero(banks)));
    if (oldest == kNoAccess || queues[id].number < queues[oldest].number) oldest = id;
  }
  // No other access overtakes the oldest while its rank is refreshed.
  const bool isServed = oldest != kNoAccess && (situation.banks >> queues[oldest].place.bank & 1) != 0;
  if (!isServed) return {};
  const Access& access = queues[oldest];
  const Command command = queues.nextCommand(oldest);
  if (situation.isHeld(command, oldest)) return {};
  return {command, oldest, std::max(situation.timing.earliest(command, access.place), access.notBefore)};
}

}  // namespace warpwright::mem::dram
