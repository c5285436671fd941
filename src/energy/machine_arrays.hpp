// The arrays of a machine, as sizes for the estimator.
#pragma once

#include <string_view>
#include <vector>

#include "config/machine.hpp"
#include "energy/sram.hpp"

namespace warpwright::energy {

// Of one SM.
Sram registerFile(const config::Machine& machine);
// A collector's room for three operands; of no bytes in a machine without collectors. One bank a collector.
Sram operandCollectors(const config::Machine& machine);
Sram sharedMemory(const config::Machine& machine);
// Memory instructions that have been taken apart and wait for answers: where in its line each lane's data lie.
Sram pendingRequests(const config::Machine& machine);
// What one fetch reads of the instruction cache.
Sram fetchedCode(const config::Machine& machine);

// Of one cache. A word of the data is a sector, one of the tags those of a set.
Sram dataOf(const config::Cache& cache);
Sram tagsOf(const config::Cache& cache);
// Entries with an address and what answers need of each access that waits.
Sram mshrsOf(const config::Cache& cache);
// Bits that a search among them compares.
u64 searchedBits(const config::Cache& cache);

// Of one input of a router.
Sram flitBuffers(const config::Network& network);

// Arrays of a unit, and how many such units the chip has.
struct Arrays {
  std::vector<Sram> ofOne;
  u64 instances = 0;
};
// Of a unit of the account (events.hpp): "l1d", data, tags and MSHRs, which are there without a cache, too; "coalescer", the requests that
// are pending. No instances: the machine has no such unit, or it has no arrays.
Arrays arraysOf(std::string_view unit, const config::Machine& machine);

// What arrays take of a chip.
struct Footprint {
  u64 bytes = 0;
  Area area;
  Power leakage;
};
// Node in nanometres (technology.hpp).
Footprint footprintOf(const Arrays& arrays, double nanometres);

}  // namespace warpwright::energy
