// What the page shows of kernels and their source lines, as JSON.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "base/types.hpp"
#include "report/json.hpp"

namespace warpwright::report {

// Numbers by name, in the order in which names were first seen. Names that are zero everywhere are left out of the JSON.
class MetricTable {
 public:
  // Adds a row: every number of a kernel's statistics under its dotted path, bins of histograms left out.
  void addRow(const Json& statistics);
  const std::vector<std::string>& names() const { return names_; }
  // Names worth showing, and rows of their values (`null`: the row has no such number).
  Json namesJson() const;
  // Those that are zero in every row that has them, and that the rows leave out.
  Json zeroNamesJson() const;
  Json rowJson(std::size_t row) const;

 private:
  void addNumbers(const Json& node, const std::string& path);
  std::size_t columnOf(const std::string& name);

  std::vector<std::string> names_;
  std::vector<bool> interesting_;  // by column: not zero somewhere
  std::unordered_map<std::string, std::size_t> columns_;
  std::vector<std::vector<Json>> rows_;
};

// What lines are annotated with.
inline constexpr const char* kLineColumns[] = {"file",
                                               "line",
                                               "warp_instructions",
                                               "thread_instructions",
                                               "simd_efficiency",
                                               "divergent_branch_share",
                                               "sectors_per_request",
                                               "sector_efficiency",
                                               "requests_per_sector",
                                               "conflict_degree",
                                               "lost_slots"};

// Rows of kLineColumns from the lists `lines` and `timing_lines` of a kernel, in the order of the source. Files are numbers in `files`, to
// which those are added that are not there; lost slots stand in the order of `slots`.
Json linesOf(const Json& lists, const std::vector<std::string>& slots, std::vector<std::string>& files);

// Launches of a timed kernel: number, grid, cycles, warp instructions.
Json launchesOf(const Json& lists);

}  // namespace warpwright::report
