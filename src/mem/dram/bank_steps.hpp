// For each bank with waiting accesses, the command that it needs next. Kept between commands, as few banks change with each.
#pragma once

#include <vector>

#include "mem/dram/bank_queues.hpp"
#include "mem/dram/timing.hpp"

namespace warpwright::mem::dram {

// Which access a bank serves first: the oldest to its open row, otherwise the oldest.
struct BankStep {
  Command command = Command::activate;
  AccessId access = kNoAccess;
  u32 rank = 0, group = 0;
  u64 number = 0;    // of the access, in order of arrival
  DramTick ready{};  // the first tick that the access and the bank's own rules allow
};

class BankSteps {
 public:
  explicit BankSteps(u32 banks) : steps_(banks) {}

  // Takes over what has changed in the queues.
  void update(BankQueues& queues, const Timing& timing);
  const BankStep& operator[](u32 bank) const { return steps_[bank]; }

 private:
  std::vector<BankStep> steps_;
};

}  // namespace warpwright::mem::dram
