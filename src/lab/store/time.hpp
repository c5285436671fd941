// Times as the store writes them.
#pragma once

#include <string>

namespace warpwright::lab {

// "2026-01-31T12:00:00Z"
std::string utcNow();

}  // namespace warpwright::lab
