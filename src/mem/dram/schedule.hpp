// The order in which a DRAM channel serves accesses. A policy is one file of this folder and a line of catalogue.cpp
// (docs/adding-a-policy.md).
#pragma once

#include <memory>

#include "base/types.hpp"
#include "config/dram.hpp"
#include "config/policy_list.hpp"
#include "mem/dram/bank_queues.hpp"
#include "mem/dram/bank_steps.hpp"
#include "mem/dram/timing.hpp"

namespace warpwright::mem::dram {

// The next command for an access, and the first tick at which it may be issued.
struct Proposal {
  static constexpr DramTick kNone = kNeverOf<DramClock>;
  Command command = Command::activate;
  AccessId access = kNoAccess;
  DramTick ready = kNone;  // kNone: no access can be served until something else happens
};

// What a policy sees of the channel.
struct Situation {
  const BankQueues& queues;
  const BankSteps& steps;
  const Timing& timing;
  u64 banks;  // bit b: accesses wait for bank b, and its rank is not about to be refreshed
  DramTick now;
  bool returnsFull;  // accesses that want a response must wait with their column command

  bool isHeld(Command command, AccessId id) const { return returnsFull && contains(kColumnCommands, command) && queues[id].wantsResponse; }
};

// One for a channel.
class Scheduler {
 public:
  virtual ~Scheduler() = default;
  // The command that it issues now; if there is none, one with the earliest later time.
  virtual Proposal propose(const Situation& situation) = 0;
};

using SchedulerEntry = config::PolicyEntry<Scheduler, const config::Dram&>;
using SchedulerList = config::PolicyList<Scheduler, const config::Dram&>;

SchedulerList& schedulerList();

}  // namespace warpwright::mem::dram
