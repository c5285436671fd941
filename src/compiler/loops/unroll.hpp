// Loop unrolling.
#pragma once

#include "compiler/machine_code.hpp"

namespace warpwright::compiler {

// Repeats the bodies of counted loops (loops/counted_loop.hpp) so that one branch serves several iterations, and instructions of several
// iterations can be scheduled together. A constant number of iterations is written out wholly, or in copies that divide it. Where the
// number is known only at run time, a main loop of several copies runs as long as so many iterations are left, and the loop itself does the
// rest:
//
//   begin:  distance = bound - variable      how far the variable has to go
//           @distance ≤ … bra rest
//   main:   copy … copy
//           distance = bound - variable
//           @distance > … bra main
//           @!continues bra end
//   rest:   the loop
//   end:
//
// Every comparison that is left out is one that would have said "continue", whatever the bound and the variable are, wrapping around
// included. Loops in MachineFunction::rolledLoops stay as they are, and what this makes joins them. Returns whether anything changed;
// values then want to be separated (registers/split_ranges.hpp) and cleaned up.
bool unrollLoops(MachineFunction& function);

}  // namespace warpwright::compiler
