// Every DRAM scheduler of the simulator. A new one is a declaration and a line here.
#include "mem/dram/schedule.hpp"

namespace warpwright::mem::dram {

extern const SchedulerEntry kFcfs, kFrFcfs;

SchedulerList& schedulerList() {
  static auto& list = *new SchedulerList(config::dramSchedulers,  //
                                         kFcfs,                   //
                                         kFrFcfs);
  return list;
}

namespace {

// Machine files know the schedulers of every program that can simulate them.
[[maybe_unused]] const SchedulerList& installedSchedulers = schedulerList();

}  // namespace
}  // namespace warpwright::mem::dram
