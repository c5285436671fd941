// What an SPU did, for people and for programs.
#pragma once

#include <string>
#include <string_view>

#include "spe/statistics.hpp"
#include "stats/json.hpp"

namespace warpwright::spe {

// A table of counts, and of cycles by what they were spent on.
std::string tableOf(const Statistics& statistics);
stats::Json jsonOf(const Statistics& statistics);
// "load result" as a key: load_result.
std::string keyOf(std::string_view name);

}  // namespace warpwright::spe
