// docs/mechanisms.md: every mechanism with its settings and what it counts.
#pragma once

#include <string>

namespace warpwright::mechanisms {

std::string mechanismReference();

}  // namespace warpwright::mechanisms
