// The evaluation of the affine vector cache study (sections 3 and 5): kernels compiled with ever fewer registers, on the machines of its
// table 3. Each run is one of the lab's.
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

  // Of one kernel:
  //   cache.B, cache.1, … cache.3        r_cache (section 5.1)
  //   affine.F, affine_wide.F            percent of private memory traffic that is affine with F times r_base registers; wide: with
  //                                      blocks of 32 x 32 where the program has them
  //   floats.F                           percent of this affine traffic that holds floating-point numbers
  //   speedup.F, energy.F                percent that configuration 2 gains in time and saves in energy over the baseline
  // Nothing: the kernel has no such value, as it never spills.
  std::optional<double> value(const StudiedKernel& kernel, const std::string& name);
  // The mean over kernels, applications weighing alike; further gain.1 … gain.3, registers that a configuration holds more than the
  // baseline, and capacity.1 … capacity.3, the same in percent of what the baseline's cache holds.
  std::optional<double> mean(const std::vector<StudiedKernel>& kernels, const std::string& name);

 private:
  struct Measured {
    std::optional<double> traffic, cycles, energy, affine, floats;
  };

  Measured measure(const StudiedKernel& kernel, bool wide, const std::string& configuration, u32 registers);
  std::optional<u32> smallestCached(const StudiedKernel& kernel, const std::string& configuration);
  std::optional<u32> count(const StudiedKernel& kernel, const char* which);
  template <class ValueOf>
  std::optional<double> meanBy(const std::vector<StudiedKernel>& kernels, ValueOf valueOf);

  Count registers_;
  const Paper& paper_;
  std::string size_;
  Run run_;
  std::map<std::string, Table> tables_;  // by text
};

}  // namespace warpwright::lab
