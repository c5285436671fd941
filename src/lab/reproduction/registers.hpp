// Register counts of the workloads' kernels on the machines of the affine vector cache study, as docs/registers.md tabulates them.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "lab/identity/simulator.hpp"

namespace warpwright::lab {

class RegisterCounts {
 public:
  explicit RegisterCounts(const Simulator& simulator) : simulator_(simulator) {}

  // One of "tesla32", "fermi32", "fermi64" (a machine and a width of addresses), a dot, and "default", "base" or "minimum".
  // kernel empty: the least "minimum" with which all kernels of the program can be compiled. Nothing: no such name, or no such kernel.
  // Compiles the workload when it is first asked for. Throws Error when that fails.
  std::optional<double> count(const std::string& program, const std::string& kernel, const std::string& name);

 private:
  using Counts = std::map<std::string, double>;  // by kernel, a dot, and "default", …

  const Counts& countsOf(const std::string& program, const std::string& target);

  const Simulator& simulator_;
  std::map<std::string, Counts> known_;  // by program and target
};

}  // namespace warpwright::lab
