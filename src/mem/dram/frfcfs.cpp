#include <bit>

#include "mem/dram/schedule.hpp"

namespace warpwright::mem::dram {

namespace {

bool precedes(const BankQueues& queues, const Proposal& left, const Proposal& right) {
  const bool leftIsColumn = contains(kColumnCommands, left.command), rightIsColumn = contains(kColumnCommands, right.command);
  if (leftIsColumn != rightIsColumn) return leftIsColumn;
  return queues[left.access].number < queues[right.access].number;
}

}  // namespace

Proposal proposeFrFcfs(const Situation& situation) {
  const BankQueues& queues = situation.queues;
  Proposal best, later;
  for (u64 banks = situation.banks; banks != 0; banks &= banks - 1) {
    const auto bank = static_cast<u32>(std::countr_zero(banks));
    const AccessId hit = queues.oldestHit(bank);
    const Proposal step = stepFor(situation, hit != kNoAccess ? hit : queues.oldest(bank));
    if (step.ready > situation.now) {
      if (step.ready < later.ready) later = step;
    } else if (best.access == kNoAccess || precedes(queues, step, best)) {
      best = step;
    }
  }
  return best.access != kNoAccess ? best : later;
}

}  // namespace warpwright::mem::dram
