// The order in which a DRAM channel serves accesses: one file a policy.
#pragma once

#include "base/types.hpp"
#include "config/dram.hpp"
#include "mem/dram/bank_queues.hpp"
#include "mem/dram/bank_steps.hpp"
#include "mem/dram/timing.hpp"

namespace warpwright::mem::dram {

// The next command for an access, and the first tick at which it may be issued.
struct Proposal {
  static constexpr u64 kNone = ~u64{0};
  Command command = Command::activate;
  AccessId access = kNoAccess;
  u64 ready = kNone;  // kNone: no access can be served until something else happens
};

// What a policy sees of the channel.
struct Situation {
  const BankQueues& queues;
  const BankSteps& steps;
  const Timing& timing;
  u64 banks;  // bit b: accesses wait for bank b, and its rank is not about to be refreshed
  u64 now;
  bool returnsFull;  // accesses that want a response must wait with their column command

  bool isHeld(Command command, AccessId id) const { return returnsFull && contains(kColumnCommands, command) && queues[id].wantsResponse; }
};

// The command that the policy issues now; if there is none, one with the earliest later time.
using Policy = Proposal (*)(const Situation& situation);

// First come, first served: every command serves the oldest access ("in-order" of Rixner et al., "Memory access scheduling", ISCA 2000).
Proposal proposeFcfs(const Situation& situation);
// First ready, first come, first served (the same paper): row hits before other accesses, among each the oldest; a row stays open as long
// as accesses to it wait.
Proposal proposeFrFcfs(const Situation& situation);

Policy policyFor(config::DramScheduler scheduler);
}  // namespace warpwright::mem::dram
