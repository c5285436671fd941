// A study of kernels compiled with ever fewer registers, on the machines of a paper. Which they are, which runs are made and what is read
// from them stands in the paper's data (PressureStudy); what a value's name means stands here. Each run is one of the lab's.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lab/analysis/table.hpp"
#include "lab/reproduction/published.hpp"

namespace warpwright::lab {

struct StudiedKernel {
  std::string program, kernel;
  std::string variant = {};  // of the program; empty: what it does when none is asked for
  auto operator<=>(const StudiedKernel&) const = default;
};

class Pressure {
 public:
  // Register counts by program, kernel and name, as RegisterCounts gives them.
  using Count = std::function<std::optional<double>(const std::string& program, const std::string& kernel, const std::string& name)>;
  // Carries out an experiment, given as the text of its file.
  using Run = std::function<Table(const std::string& text)>;

  // paper: has the machines, by the names below, and what events cost. size: of the workloads, which have 32-bit addresses, as the study's
  // programs on Tesla.
  Pressure(Count registers, const Paper& paper, std::string size, Run run)
      : registers_(std::move(registers)), paper_(paper), size_(std::move(size)), run_(std::move(run)) {}

  // Of one kernel. X is a machine of the paper, that of its study where none is named; F a share of r_base:
  //   cache.X                            r_cache (section 5.1): the least number of registers with which traffic is negligible
  //   ratio.X                            traffic over that of X's baseline at equal registers: sums over all numbers of registers
  //   affine.F, affine_wide.F            percent of private memory traffic that is affine; wide: with
  //                                      blocks of 32 x 32 where the program has them
  //   affine_first.F                     the same where the compiler spills affine values first (section 7)
  //   floats.F                           percent of the affine traffic that holds floating-point numbers
  //   speedup.X.F, energy.X.F            percent gained in time and saved in energy over X's baseline
  //   energy_low.X.F, energy_high.X.F    the same with all costs at their low, and their high, bound
  //   dram.X.F                           bytes that DRAM moves over those with X's baseline
  // Nothing: the kernel has no such value, as it never spills.
  std::optional<double> value(const StudiedKernel& kernel, const std::string& name);
  // The mean over kernels, applications weighing alike (ratio.X: of the sums, before the division); further gain.X, registers that X holds
  // more than its baseline, and capacity.X, the same in percent of what the baseline's cache holds.
  std::optional<double> mean(const std::vector<StudiedKernel>& kernels, const std::string& name);

 private:
  enum class Purpose { gains, traffic, classes };
  // Runs of one program on one machine with these numbers of registers.
  struct Runs {
    Purpose purpose;
    StudiedKernel kernel;
    std::string configuration;  // of classes: "", or "affine_first"
    std::vector<u32> registers;
  };
  using Values = std::map<u32, double>;  // by number of registers
  // Of a kernel, sums over all numbers of registers.
  struct Traffic {
    double own = 0, baseline = 0;
  };

  std::string textOf(const Runs& runs) const;
  std::string optionsText(const Runs& runs) const;
  bool isAccounted(const Runs& runs) const;  // for their energy
  Values measure(const Runs& runs, const std::string& column);
  std::optional<double> measureOne(const Runs& runs, const std::string& column);
  // At every number of registers from the minimum to r_base.
  Values traffic(const StudiedKernel& kernel, const std::string& configuration);
  std::optional<u32> smallestCached(const StudiedKernel& kernel, const std::string& configuration);
  std::optional<Traffic> compared(const StudiedKernel& kernel, const std::string& configuration);
  std::optional<double> meanRatio(const std::vector<StudiedKernel>& kernels, const std::string& configuration);
  std::optional<u32> count(const StudiedKernel& kernel, const char* which);
  std::string baselineOf(const std::string& configuration) const;
  template <class ValueOf>
  std::optional<double> meanBy(const std::vector<StudiedKernel>& kernels, ValueOf valueOf);

  Count registers_;
  const Paper& paper_;
  std::string size_;
  Run run_;
  std::map<std::string, Table> tables_;  // by text
};

}  // namespace warpwright::lab
