// `warpwright run --against before.json`: what changed since an earlier run.
#pragma once

#include <string>

#include "stats/json.hpp"

namespace warpwright::cli {

// The profile of an earlier run, as `--json` writes it. Throws Error for a file that is none.
stats::Json earlierProfile(const std::string& file);

// For each kernel that both runs have and --kernel asks for: what it took and what limited it then and now, and the shares of its limits
// that changed by a twentieth or more; then those that only one of them has. Without time in one of them, warp instructions in place of
// cycles.
std::string comparisonWith(const stats::Json& earlier, const stats::Json& now);

}  // namespace warpwright::cli
