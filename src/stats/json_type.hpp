// The type of a JSON value, for headers that only name it.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace warpwright::stats {

using Json = nlohmann::ordered_json;

}  // namespace warpwright::stats
