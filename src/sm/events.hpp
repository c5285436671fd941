// What an SM awaits at known cycles.
#pragma once

#include "sm/context.hpp"
#include "sm/instruction_info.hpp"
#include "sm/wheel.hpp"

namespace warpwright::sm {

struct Event {
  enum class Kind : u8 {
    release,  // an instruction's results may be used
    unblock,  // … and its warp knows how it goes on
    served,   // a memory instruction has passed the first memory stage of an in-order pipeline
    fetched,
  } kind = Kind::release;
  bool isMemory = false;  // release: of a load or atomic
  Context context;        // of the instruction
  const InstructionInfo* info = nullptr;
  u32 number = 0;  // fetched: of the fetch; served: cycles that it needed that stage for; else of the instruction
};

using Events = Wheel<Event>;

}  // namespace warpwright::sm
