// Numbers as people read them.
#pragma once

#include <string>

#include "stats/formula.hpp"

namespace warpwright::profile {

std::string countText(u64 count);                           // "999", "12,345", "1.23 M", "45.6 G"
std::string bytesText(u64 bytes);                           // "96 B", "1.50 KiB", "12.0 MiB"
std::string timeText(u64 nanoseconds);                      // "750 ns", "1.50 us", "12.0 ms", "3.20 s"
std::string percentText(stats::Ratio share);                // "12.5 %"; "-" for nothing
std::string ratioText(stats::Ratio value, int digits = 2);  // "1.25"; "-" for nothing

}  // namespace warpwright::profile
