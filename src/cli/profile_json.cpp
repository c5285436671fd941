#include "cli/profile_json.hpp"

#include <algorithm>

namespace warpwright::cli {

const stats::Json* findKernel(const stats::Json& profile, const stats::Json& kernel) {
  const stats::Json& all = profile.at("kernels");
  const auto found = std::ranges::find_if(
      all, [&](const stats::Json& each) { return each.at("name") == kernel.at("name") && each.at("module") == kernel.at("module"); });
  return found == all.end() ? nullptr : &*found;
}

u64 cyclesOf(const stats::Json& kernel) { return kernel.at("timing").at("counters").at("estimated_cycles").get<u64>(); }

}  // namespace warpwright::cli
