#pragma once

#include "mechanisms/mechanism.hpp"

namespace warpwright::mechanisms::tiny_cache {

extern const Kind kTinyCache;

}  // namespace warpwright::mechanisms::tiny_cache
