// Whether a cache can be built.
#pragma once

#include <string_view>

#include "config/cache.hpp"

namespace warpwright::mem {

// Throws Error naming the keys, e.g. "l1d.ways" for section "l1d". A cache of 0 bytes keeps no lines and needs fewer parameters.
void validate(const config::Cache& cache, std::string_view section);

}  // namespace warpwright::mem
