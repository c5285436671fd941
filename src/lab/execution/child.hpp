// A run as a process of its own, which ends with this one.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "base/types.hpp"
#include "lab/execution/limits.hpp"

namespace warpwright::lab {

struct ChildRequest {
  std::vector<std::string> command;
  std::vector<std::string> environment;  // "NAME=VALUE", all of it
  std::string folder;                    // to run in
  std::string output;                    // file for standard output and standard error
  Limits limits;
};

enum class End { exited, killed, interrupted, timedOut, tooMuchMemory };

struct ChildResult {
  End end = End::exited;
  int status = 0;  // the exit status, or the number of the signal
  double seconds = 0;
  u64 peakBytes = 0;
};

// Started by the constructor, killed (with all that it started and that stays in its process group) by the destructor.
class Child {
 public:
  // Throws Error when it cannot be started.
  explicit Child(const ChildRequest& request);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  // A file descriptor that can be read once the child has ended, for poll().
  int descriptor() const { return descriptor_; }
  // Enforces the limits; true once the child has ended. Cheap: to be called several times a second.
  bool check();
  // Asks it to end, as a batch system does: a simulation then says how far it came. Killed if it has not ended soon.
  void terminate(End why);
  const ChildResult& result() const { return result_; }

 private:
  void kill(End why);
  double elapsed() const;

  pid_t process_ = -1;
  int descriptor_ = -1;
  Limits limits_;
  std::chrono::steady_clock::time_point started_;
  std::optional<std::chrono::steady_clock::time_point> asked_;  // to end
  bool ended_ = false;
  ChildResult result_;
};

}  // namespace warpwright::lab
