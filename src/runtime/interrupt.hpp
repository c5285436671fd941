// SIGINT (Ctrl-C) and SIGTERM (batch systems, timeout(1)): the first one asks the running launch to stop, so that what is done can be
// printed; the second one ends the process.
#pragma once

namespace warpwright::runtime {

// Takes over those of the signals that the program has left at their default. Idempotent.
void watchForInterrupt();
// True from the first signal on.
bool interrupted();
// "SIGINT (Ctrl-C)", for messages; only when interrupted().
const char* interruptName();
// Ends the process as the signal would have if nobody had handled it, so that shells see the usual exit status.
[[noreturn]] void dieOfInterrupt();

}  // namespace warpwright::runtime
