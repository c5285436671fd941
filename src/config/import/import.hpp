// Machines from the flat option files of GPGPU-Sim (gpgpusim.config, versions 3 and 4).
#pragma once

#include <string>
#include <vector>

#include "base/error.hpp"
#include "config/machine.hpp"

namespace warpwright::config {

// Something of the file that the machine does not have, or has otherwise.
struct LeftOver {
  SourcePosition where;
  std::string option;  // "-gpgpu_runtime_stat 500"
  std::string reason;
};

struct Imported {
  Machine machine;
  std::vector<LeftOver> leftOver;  // in the order of the file
};

// `fileName` gives positions and the machine's name. What the file does not say keeps its default (docs/machines.md). Throws Error, with
// the line, for text that is no option file, for values that cannot be read, and for a machine that cannot be built.
Imported importGpgpuSim(const std::string& text, const std::string& fileName);

// The machine file: the resolved dump, with what was left over as comments.
std::string toToml(const Imported& imported, const std::string& fileName);

}  // namespace warpwright::config
