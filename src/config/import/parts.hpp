// The parts of an option file, each carried over by one function.
#pragma once

#include "config/import/options.hpp"

namespace warpwright::config {

void importChip(Options& options, Machine& machine);
void importPipeline(Options& options, Machine& machine);
void importSmMemory(Options& options, Machine& machine);
void importCaches(Options& options, Machine& machine);
void importDram(Options& options, Machine& machine);
void importMemorySystem(Options& options, Machine& machine);  // after importChip: it needs the clocks

}  // namespace warpwright::config
