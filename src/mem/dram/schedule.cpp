#include "mem/dram/schedule.hpp"

#include <algorithm>

namespace warpwright::mem::dram {

namespace {

Command nextCommand(const BankQueues& queues, AccessId id) {
  const Access& access = queues[id];
  if (!queues.isOpen(access.place.bank)) return Command::activate;
  if (!queues.isOpenAt(access.place)) return Command::precharge;
  return access.isWrite ? Command::write : Command::read;
}

}  // namespace

Proposal stepFor(const Situation& situation, AccessId id) {
  const Access& access = situation.queues[id];
  const Command command = nextCommand(situation.queues, id);
  if (situation.returnsFull && access.wantsResponse && contains(kColumnCommands, command)) return {command, id, Proposal::kNone};
  return {command, id, std::max(situation.timing.earliest(command, access.place), access.notBefore)};
}

Policy policyFor(config::DramScheduler scheduler) { return scheduler == config::DramScheduler::fcfs ? proposeFcfs : proposeFrFcfs; }

}  // namespace warpwright::mem::dram
