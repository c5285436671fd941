// Of which threads of a timed machine a PC histogram is kept (docs/pc-histogram.md).
#pragma once

#include <optional>
#include <string>

#include "base/types.hpp"

namespace warpwright::config {
struct Machine;
}

namespace warpwright::machines {

struct PcHistogramSettings {
  u32 sm = 0;
  std::optional<u64> block;  // of each grid, alone; nothing: all that the SM holds
  u64 interval = 128;        // core cycles of a sample; at least 1
};

// "SM" or "SM:BLOCK"; the interval is the default. Throws Error for anything else.
PcHistogramSettings parsePcHistogram(const std::string& text);

// Throws Error where the machine has no such SM.
void requireSm(const PcHistogramSettings& settings, const config::Machine& machine);

}  // namespace warpwright::machines
