#include "machines/policies.hpp"

#include "mem/cache/replacement/replacement.hpp"
#include "mem/cache/set_hash/set_hash.hpp"
#include "mem/dram/schedule.hpp"
#include "mem/network/arbitration/arbitration.hpp"
#include "mem/partition/channel_hash/channel_hash.hpp"
#include "sm/schedulers/scheduler.hpp"

namespace warpwright::machines {

void installPolicies() {
  mem::replacementList();
  mem::setHashList();
  mem::arbitrationList();
  mem::dram::schedulerList();
  mem::channelHashList();
  sm::schedulerList();
}

}  // namespace warpwright::machines
