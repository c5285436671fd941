// What is counted of a source line.
#pragma once

#include "mem/traffic.hpp"
#include "sm/statistics.hpp"

namespace warpwright::machines {

struct LineTiming {
  u64 warpInstructions = 0;
  sm::PipeOperations operations;  // of these
  sm::SlotCounts stalls;          // issue slots lost while a warp waited to issue an instruction of the line
  mem::Traffic traffic;           // that its instructions caused, in the course of their launches
};

}  // namespace warpwright::machines
