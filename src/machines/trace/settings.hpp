// What to trace of a timed machine.
#pragma once

#include <string>

#include "base/time.hpp"

namespace warpwright::machines::trace {

// Core cycles, the last one not included.
struct Window {
  Cycle from{}, until = kNever;
  bool contains(Cycle time) const { return from <= time && time < until; }
};

struct Settings {
  std::string chromeFile, konataFile, seriesFile;  // empty: none
  Window window;                                   // of the Chrome trace and the Konata log
  u64 interval = 1000;                             // core cycles of a row of the series and of a counter of the trace; at least 1
  bool any() const { return !chromeFile.empty() || !konataFile.empty() || !seriesFile.empty(); }
};

}  // namespace warpwright::machines::trace
