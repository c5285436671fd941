#pragma once

#include "mechanisms/mechanism.hpp"

namespace warpwright::mechanisms::access_patterns {

extern const Kind kAccessPatterns;

}  // namespace warpwright::mechanisms::access_patterns
