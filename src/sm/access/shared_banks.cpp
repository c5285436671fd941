#include "sm/access/shared_banks.hpp"

#include <algorithm>
#include <bit>

#include "sm/access/shared_geometry.hpp"
#include "sm/launch_plan.hpp"

namespace warpwright::sm {
namespace {

void noteMoved(DataMoved& moved, const LaneAccess& access, u32 bankWords) {
  moved.sharedWords += access.words();
  if (!access.isStore) moved.bankReads += bankWords;
  if (access.isStore || access.isAtomic) moved.bankWrites += bankWords;
}

}  // namespace

SharedBanks::SharedBanks(const config::Machine& machine, u32 lanesTogether)
    : banks_(sharedGeometry(machine, lanesTogether)), atomicLatency_(machine.sm.sharedAtomicLatency) {}

void SharedBanks::access(LaneAccess& access, MemoryOperation& operation, Cycle) {
  if (access.space != isa::Space::shared) return;
  const parallel_memory::BankTable* table = access.plan->sharedMaps.at(access.origin.pc);
  if (access.isAtomic) {
    banks_.atomic(access.addresses, access.lanes, access.bytes, table);
  } else if (access.isStore) {
    banks_.access(access.addresses, access.lanes, access.bytes, access.spread, table);
  } else {
    banks_.load(access.addresses, access.lanes, access.bytes, access.spread, table);
  }
  for (u32 phase = 0; phase < banks_.phases(); ++phase) operation.bankPhases.push_back({banks_.firstLane(phase), banks_.degree(phase)});
  const u32 passes = std::max(banks_.passes() + access.bankPasses, access.passesBeside);
  operation.sharedPasses += passes;
  noteMoved(operation.moved, access, banks_.words());
  operation.sharedDelay = std::max(operation.sharedDelay, access.delay + (access.isAtomic ? atomicLatency_ : 0));
  access.lanes.clear();
  if (passes == banks_.passes()) return;
  operation.bankPhases.push_back({access.asked.least(), passes - banks_.passes()});
}

}  // namespace warpwright::sm
