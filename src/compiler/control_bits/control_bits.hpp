// Control bits of finished code (isa/control_bits.hpp): stalls keep instructions from results of a fixed latency, counters from those of a
// variable one, and from registers that such an instruction has yet to read.
#pragma once

#include "isa/program.hpp"

namespace warpwright::compiler {

// Fills Program::control.
//
// Along every path through a function, an instruction waits for each result that it reads or overwrites, and for each register that it
// overwrites to have been read. A counter that an instruction makes go up is seen by the next but one at the earliest, so that who waits
// for it at once stalls one cycle more (the above, section 4). Calls and returns wait for everything: functions know nothing of one
// another. Every instruction can wait for any of the counters, and so no instruction is added; where more than six producers are under way,
// several share a counter, and who waits for one of them waits for all. Yield bits are left alone, as a stall of two cycles does the same.
void assignControlBits(isa::Program& program, const isa::IssueTiming& timing);

}  // namespace warpwright::compiler
