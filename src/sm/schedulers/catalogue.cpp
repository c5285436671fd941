// Every warp scheduler of the simulator. A new one is a line here.
#include "sm/schedulers/barrel.hpp"
#include "sm/schedulers/ccws.hpp"
#include "sm/schedulers/cggty.hpp"
#include "sm/schedulers/greedy_then_oldest.hpp"
#include "sm/schedulers/round_robin.hpp"
#include "sm/schedulers/switch_on_memory.hpp"
#include "sm/schedulers/two_level.hpp"

namespace warpwright::sm {

SchedulerList& schedulerList() {
  static auto& list = *new SchedulerList(config::warpSchedulers,  //
                                         kLooseRoundRobin,        //
                                         kGreedyThenOldest,       //
                                         kOldestFirst,            //
                                         kTwoLevel,               //
                                         kStrictBarrel,           //
                                         kRelaxedBarrel,          //
                                         kCcws,                   //
                                         kCggty,                  //
                                         kSwitchOnMemory);
  return list;
}

namespace {

// Machine files know the schedulers of every program that can simulate them.
[[maybe_unused]] const SchedulerList& installedSchedulers = schedulerList();

}  // namespace
}  // namespace warpwright::sm
