#include "spe/machine.hpp"

#include <array>

#include "base/error.hpp"
#include "base/nearest.hpp"

namespace warpwright::spe {

Machine machineOf(const std::string& name) {
  Machine machine;
  machine.name = name;
  if (name == "original") return machine;
  machine.loadLatency = 10;
  machine.storeLatency = 7;
  machine.branchPenalty = 21;
  machine.fetchLatency = 9;
  if (name == "long-latency") return machine;
  machine.sams = true;
  if (name == "sams") return machine;
  const std::array<std::string, 3> known{"original", "sams", "long-latency"};
  const std::string near = nearestName(name, known);
  throw Error("unknown SPE '" + name + "'", {}, near.empty() ? "there are: original, sams, long-latency" : "did you mean '" + near + "'?");
}

}  // namespace warpwright::spe
