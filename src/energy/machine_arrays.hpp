// The arrays of a machine, as sizes for the estimator.
#pragma once

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

}  // namespace warpwright::energy
