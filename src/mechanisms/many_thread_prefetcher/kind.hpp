#pragma once

#include "mechanisms/mechanism.hpp"

namespace warpwright::mechanisms::many_thread_prefetcher {

extern const Kind kManyThreadPrefetcher;

}  // namespace warpwright::mechanisms::many_thread_prefetcher
