// One run: `warpwright run`, or `warpwright spe run`, with its own folder, environment and machine file, watched until it ends.
#pragma once

#include <memory>
#include <string>

#include "cc/driver/process.hpp"
#include "lab/execution/child.hpp"
#include "lab/experiment/plan.hpp"
#include "lab/store/store.hpp"

namespace warpwright::lab {

class Run {
 public:
  // Throws Error when it cannot be started, or when the program is no longer the one that was planned.
  Run(const RunSpec& spec, const Simulator& simulator, const Limits& limits);

  int descriptor() const { return child_->descriptor(); }
  bool check() { return child_->check(); }  // true once it has ended
  // Asks it to end and to say how far it came.
  void interrupt() { child_->terminate(End::interrupted); }
  // What came of it; reads what it wrote.
  Outcome outcome() const;

 private:
  cc::TemporaryFolder folder_;
  Limits limits_;
  std::string started_;
  std::unique_ptr<Child> child_;  // ends before its folder does
};

}  // namespace warpwright::lab
