// How far an experiment is: a line of a terminal that changes, or lines of a log now and then.
#pragma once

#include <chrono>
#include <span>
#include <string>

#include "lab/store/store.hpp"

namespace warpwright::lab {

// "17 of 48 runs done, 1 failed, 2 running; about 2 min 10 s left". What remains is estimated from the mean time of a program's runs that
// ended, or of all where none of the program has, shared out to `jobs`.
std::string progressText(std::span<const ProgramProgress> programs, u32 jobs);

class Progress {
 public:
  Progress(Store& store, Id experiment, const struct SweepOptions& options);
  ~Progress();  // leaves the terminal's line empty
  // On standard error: on a terminal twice a second at most, into a file or a pipe every half minute.
  void show();

 private:
  Store& store_;
  Id experiment_;
  u32 jobs_;
  bool visible_, onTerminal_;
  std::string name_;
  std::chrono::steady_clock::time_point next_;
};

}  // namespace warpwright::lab
