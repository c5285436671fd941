// Published parameters of machines beside those of ours.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/machine.hpp"
#include "lab/reproduction/published.hpp"

namespace warpwright::lab {

// The paper's machine of that name, or else the preset. Throws Error for an unknown one.
config::Machine machineNamed(const Paper& paper, const std::string& name);

// Of that machine:
//   number: an expression over keys, "l1d.bytes / 1024"; switches are 0 or 1, hyphens of keys are
//   underscores. Nothing: the machine has no such key.
//   word: of one key, as machine files write it, without quotation marks. "": the machine has no such key.
std::optional<double> settingNumber(const Paper& paper, const std::string& machine, const std::string& expression);
std::string settingWord(const Paper& paper, const std::string& machine, const std::string& key);

}  // namespace warpwright::lab
