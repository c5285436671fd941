// What the host has to spare at the moment.
#pragma once

#include <string>

#include "base/types.hpp"

namespace warpwright::engine {

// Processors that nothing runs on, the caller's not among them. Where the host does not tell
// (Linux does, in /proc/loadavg), all others.
u32 freeProcessors();

// The same from the text of /proc/loadavg, whose fourth word is "runnable/existing" and counts the reader.
u32 freeProcessors(const std::string& loadAverages, u32 processors);

}  // namespace warpwright::engine
