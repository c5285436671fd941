// Ctrl-C: the first one asks the running launch to stop, so that what is done can be printed; the second one ends the process.
#pragma once

namespace warpwright::runtime {

// Takes over SIGINT when the program has left it at its default. Idempotent.
void watchForInterrupt();
// True from the first Ctrl-C on.
bool interrupted();
// Ends the process as an unhandled SIGINT would, so that shells see the usual exit status.
[[noreturn]] void dieOfInterrupt();

}  // namespace warpwright::runtime
