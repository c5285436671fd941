// The last stage of accesses to shared memory: bank conflicts of the lanes that are left.
#pragma once

#include "access/bank_conflicts.hpp"
#include "config/machine.hpp"
#include "sm/access/stage.hpp"

namespace warpwright::sm {

class SharedBanks final : public LaneStage {
 public:
  // lanesTogether: lanes of a warp that reach the banks in a cycle.
  SharedBanks(const config::Machine& machine, u32 lanesTogether);

  void access(LaneAccess& access, MemoryOperation& operation, Cycle now) override;
  bool isTimed() const override { return false; }

 private:
  access::BankConflicts banks_;
  const u32 atomicLatency_;
};

}  // namespace warpwright::sm
