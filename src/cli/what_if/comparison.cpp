#include "cli/what_if/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/demangle.hpp"
#include "cli/profile_json.hpp"
#include "cli/what_if/kernel_filter.hpp"
#include "profile/units.hpp"
#include "stats/json.hpp"

namespace warpwright::cli {
namespace {

using stats::Json;

void addTo(Json& kernel, const WhatIfRun& run) {
  const Json* other = run.profile ? findKernel(*run.profile, kernel) : nullptr;
  if (other == nullptr || !isTimed(*other)) return;
  kernel["timing"]["what_if"].push_back({{"name", run.what->name},
                                         {"settings", run.settings},
                                         {"cycles", cyclesOf(*other)},
                                         {"share", stats::toJson(stats::ratio(cyclesOf(*other), cyclesOf(kernel)))}});
}

}  // namespace

void addWhatIfs(Json& profile, const std::vector<WhatIfRun>& runs) {
  for (Json& kernel : profile.at("kernels")) {
    if (!isTimed(kernel)) continue;
    kernel["timing"]["what_if"] = Json::array();
    for (const WhatIfRun& run : runs) addTo(kernel, run);
  }
}

std::string whatIfTable(const Json& profile, const std::vector<WhatIfRun>& runs, const std::string& kernel) {
  std::string text;
  for (const Json& each : profile.at("kernels")) {
    if (!isTimed(each) || !isNamedBy(kernel, each)) continue;
    text += fmt::format("What if: {} takes {} core cycles\n", demangled(each.at("name").get<std::string>()),
                        profile::countText(cyclesOf(each)));
    std::vector<Json> rows(each["timing"]["what_if"].begin(), each["timing"]["what_if"].end());
    std::ranges::stable_sort(rows, {}, [](const Json& row) { return row.at("cycles").get<u64>(); });
    for (const Json& row : rows) {
      const auto share = row.at("share").is_null() ? stats::Ratio{} : stats::Ratio(row.at("share").get<double>());
      text += fmt::format("  {:>8} of the cycles {}\n", profile::percentText(share),
                          machines::findWhatIf(row.at("name").get<std::string>())->text);
    }
    text += '\n';
  }
  for (const WhatIfRun& run : runs)
    if (!run.profile) text += fmt::format("No answer {}: {}\n", run.what->text, run.failure);
  return text;
}

}  // namespace warpwright::cli
