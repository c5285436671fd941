#include "mem/dram/bank_steps.hpp"

#include <algorithm>
#include <bit>

namespace warpwright::mem::dram {

void BankSteps::update(BankQueues& queues, const Timing& timing) {
  for (u64 banks = queues.takeChanged() & queues.waiting(); banks != 0; banks &= banks - 1) {
    const auto bank = static_cast<u32>(std::countr_zero(banks));
    const AccessId hit = queues.oldestHit(bank);
    const AccessId id = hit != kNoAccess ? hit : queues.oldest(bank);
    const Access& access = queues[id];
    const Command command = queues.nextCommand(id);
    const DramTick ready = std::max(access.notBefore, timing.earliestInBank(command, bank));
    steps_[bank] = {command, id, access.location.rank, access.location.group, access.number, ready};
  }
}

}  // namespace warpwright::mem::dram
