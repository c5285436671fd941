// The command line of `warpwright`, for its main().
#pragma once

namespace warpwright::cli {

// Parses and runs; returns the exit status. Errors go to stderr.
int runCommand(int argc, char** argv);

}  // namespace warpwright::cli
