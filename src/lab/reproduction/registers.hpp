// Register counts of the workloads' kernels on the machines of a study, as docs/registers.md tabulates those of the affine vector cache's.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/long_work.hpp"
#include "lab/identity/simulator.hpp"
#include "lab/reproduction/published.hpp"

namespace warpwright::lab {

class RegisterCounts {
 public:
  // targets: of the paper; they outlive it, as the simulator does.
  RegisterCounts(const Simulator& simulator, const std::vector<RegisterTarget>& targets) : simulator_(simulator), targets_(targets) {}

  // The name of a target, a dot, and "default", "base" or "minimum".
  // kernel empty: the least "minimum" with which all kernels of the program can be compiled. Nothing: no such name, or no such kernel.
  // Compiles the workload when it is first asked for. Throws Error when that fails.
  std::optional<double> count(const std::string& program, const std::string& kernel, const std::string& name);

 private:
  using Counts = std::map<std::string, double>;  // by kernel, a dot, and "default", …

  const Counts& countsOf(const std::string& program, const std::string& target);

  const Simulator& simulator_;
  const std::vector<RegisterTarget>& targets_;
  std::map<std::string, Counts> known_;  // by program and target
  LongWork work_{"register counts"};
};

}  // namespace warpwright::lab
