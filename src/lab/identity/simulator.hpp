// The simulator that this command belongs to: results of another build are never taken for its own.
#pragma once

#include <string>

namespace warpwright::lab {

struct Simulator {
  std::string executable;     // this command
  std::string libraryFolder;  // with libwarpwright_cudart.so
  std::string version;
  std::string revision;  // SHA-256 over the command and every library of its that a program may load
};

// Throws Error when the libraries are not beside the command.
Simulator thisSimulator();

}  // namespace warpwright::lab
