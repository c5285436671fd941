#include "machines/unit_loads.hpp"

#include <algorithm>
#include <numeric>

#include "stats/json.hpp"

namespace warpwright::machines {

void merge(UnitLoads& into, const UnitLoads& from) {
  UnitLoads::fields([&](std::string_view, ByUnit UnitLoads::*member) {
    ByUnit& sums = into.*member;
    const ByUnit& others = from.*member;
    sums.resize(std::max(sums.size(), others.size()));
    for (std::size_t unit = 0; unit < others.size(); ++unit) sums[unit] += others[unit];
  });
}

UnitLoads delta(const UnitLoads& later, const UnitLoads& earlier) {
  UnitLoads result = later;
  UnitLoads::fields([&](std::string_view, ByUnit UnitLoads::*member) {
    const ByUnit& before = earlier.*member;
    for (std::size_t unit = 0; unit < before.size(); ++unit) (result.*member)[unit] -= before[unit];
  });
  return result;
}

stats::Json toJson(const UnitLoads& loads) {
  stats::Json result = stats::Json::object();
  UnitLoads::fields([&](std::string_view name, ByUnit UnitLoads::*member) { result[std::string(name)] = loads.*member; });
  return result;
}

Most mostOf(const ByUnit& counts) {
  const auto most = std::ranges::max_element(counts);
  const u64 sum = std::accumulate(counts.begin(), counts.end(), u64{0});
  if (sum == 0) return {};
  return {static_cast<std::size_t>(most - counts.begin()), *most,
          static_cast<double>(*most) * static_cast<double>(counts.size()) / static_cast<double>(sum)};
}

}  // namespace warpwright::machines
