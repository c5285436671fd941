#include "mem/dram/schedule.hpp"

namespace warpwright::mem::dram {

Policy policyFor(config::DramScheduler scheduler) { return scheduler == config::DramScheduler::fcfs ? proposeFcfs : proposeFrFcfs; }

}  // namespace warpwright::mem::dram
