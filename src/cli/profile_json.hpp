// Kernels of a profile, as `--json` writes it.
#pragma once

#include "stats/json.hpp"

namespace warpwright::cli {

// The kernel of the same name and module; null: the profile has none.
const stats::Json* findKernel(const stats::Json& profile, const stats::Json& kernel);
inline bool isTimed(const stats::Json& kernel) { return kernel.contains("timing"); }
// Of a timed one: core cycles of all its launches, with all of their blocks.
u64 cyclesOf(const stats::Json& kernel);

}  // namespace warpwright::cli
