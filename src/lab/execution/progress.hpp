// How far an experiment is.
#pragma once

#include <span>
#include <string>

#include "base/progress_line.hpp"
#include "lab/store/store.hpp"

namespace warpwright::lab {

// "17 of 48 runs done, 1 failed, 2 running; about 2 min 10 s left". What remains is estimated from the mean time of a program's runs that
// ended, or of all where none of the program has, shared out to `jobs`.
std::string progressText(std::span<const ProgramProgress> programs, u32 jobs);

class Progress {
 public:
  Progress(Store& store, Id experiment, const struct SweepOptions& options);
  // On standard error, when it is time.
  void show();

 private:
  Store& store_;
  Id experiment_;
  u32 jobs_;
  std::string name_;
  ProgressLine line_;
};

}  // namespace warpwright::lab
