#include "lab/store/time.hpp"

#include <fmt/chrono.h>

#include <ctime>

namespace warpwright::lab {

std::string utcNow() { return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))); }

}  // namespace warpwright::lab
