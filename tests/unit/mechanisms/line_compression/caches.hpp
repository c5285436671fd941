// Caches for tests of lines that lie compressed in them.
#pragma once

#include "unit/mem/cache/cache_driver.hpp"

namespace warpwright::mechanisms::line_compression {

// A write-back cache of 4 sets of 2 lines, of one sector each.
inline config::Cache cacheOfLines() {
  config::Cache config = mem::testCache();
  config.sectorBytes = config.lineBytes;
  config.globalWrites = config.localWrites = config::WritePolicy::writeBack;
  return config;
}

}  // namespace warpwright::mechanisms::line_compression
