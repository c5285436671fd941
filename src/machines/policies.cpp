#include "machines/policies.hpp"

#include "mem/cache/replacement/replacement.hpp"
#include "mem/cache/set_hash/set_hash.hpp"
#include "mem/dram/schedule.hpp"
#include "mem/network/arbitration/arbitration.hpp"
#include "sm/schedulers/scheduler.hpp"

namespace warpwright::machines {

void installPolicies() {
  mem::replacementList();
  mem::setHashList();
  mem::arbitrationList();
  mem::dram::schedulerList();
  sm::schedulerList();
}

}  // namespace warpwright::machines
