// The bank map that a machine's shared memory is configured with.
#pragma once

#include <memory>
#include <string>
#include <warpwright/parallel_memory/bank_map.hpp>

#include "config/machine.hpp"

namespace warpwright::config {

// Whether each array of a kernel has a map of its own (`sm.memory.bank_map = "per_array"` or "per_array:harper").
bool choosesBankMaps(const Machine& machine);
// Whether each access names the layout that its array has (`per_access`).
bool namesBankMaps(const Machine& machine);
// Those that an array, or an access, may then have, the plainest first. All keep the words of a line of all banks in that line, so that
// lines of different maps can lie in one memory (Gou, section 4.3.2: the layout is configured by the line).
std::vector<std::string> bankMapChoices(const Machine& machine);

// Words of the largest block's shared memory, each as wide as a bank.
u64 sharedWords(const Machine& machine);

// The map `text` for the banks and words of the machine's shared memory. Throws std::invalid_argument for one that is none, or has fewer
// banks or words.
std::unique_ptr<parallel_memory::BankMap> sharedBankMap(const Machine& machine, const std::string& text);

}  // namespace warpwright::config
