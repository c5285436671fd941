#pragma once

#include "mechanisms/mechanism.hpp"

namespace warpwright::mechanisms::stride_prefetcher {

extern const Kind kStridePrefetcher;

}  // namespace warpwright::mechanisms::stride_prefetcher
