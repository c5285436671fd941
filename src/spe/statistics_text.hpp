// What an SPU did, for people and for programs.
#pragma once

#include <string>

#include "spe/statistics.hpp"
#include "stats/json.hpp"

namespace warpwright::spe {

// A table of counts, and of cycles by what they were spent on.
std::string tableOf(const Statistics& statistics);
stats::Json jsonOf(const Statistics& statistics);

}  // namespace warpwright::spe
