#pragma once

#include "mechanisms/mechanism.hpp"

namespace warpwright::mechanisms::sector_granularity {

extern const Kind kSectorGranularity;

}  // namespace warpwright::mechanisms::sector_granularity
