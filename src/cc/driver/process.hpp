// Running the compiler.
#pragma once

#include <string>
#include <vector>

namespace warpwright::cc {

using Command = std::vector<std::string>;

// Thrown instead of going on once a signal has asked the process to end.
struct Interrupted {
  int signal;
};

// From now on SIGINT, SIGTERM and SIGHUP end the command that runs, and run() throws Interrupted, so that what is temporary is removed.
// For a process that does nothing else than run commands.
void unwindOnSignals();

// Runs a command with our standard streams and waits. Returns its exit status (128 + signal when it was killed).
// Throws Error when it cannot be started, Interrupted as said above.
int run(const Command& command);

// Runs a command and returns what it writes to standard output and standard error together; `status` receives what run() returns. Throws
// Error when it cannot be started.
std::string capture(const Command& command, int* status = nullptr);

// The command as one line that a shell would read back as the same words.
std::string quoted(const Command& command);

// A folder of its own under the system's temporary folder, removed with everything in it at the end of life.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace warpwright::cc
