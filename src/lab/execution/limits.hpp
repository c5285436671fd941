// What a run may take of the host, and how a sweep is carried out.
#pragma once

#include <chrono>
#include <string>

#include "base/types.hpp"

namespace warpwright::lab {

struct Limits {
  u64 memoryBytes = 0;              // resident at once; 0: no limit
  std::chrono::seconds timeout{0};  // 0: none
};

// "500M", "2G", "1.5GiB", plain bytes; powers of 1024. Throws Error.
u64 parseBytes(const std::string& text);

// "2.0 GiB"
std::string bytesText(u64 bytes);

}  // namespace warpwright::lab
