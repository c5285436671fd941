// Published parameters of machines beside those of ours.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lab/reproduction/published.hpp"

namespace warpwright::lab {

// Of the paper's machine of that name, or else of the preset. Throws Error for an unknown one.
//   number: an expression over keys, "l1d.bytes / 1024"; switches are 0 or 1. Nothing: the machine has no such key.
//   word: of one key, as machine files write it, without quotation marks. "": the machine has no such key.
std::optional<double> settingNumber(const Paper& paper, const std::string& machine, const std::string& expression);
std::string settingWord(const Paper& paper, const std::string& machine, const std::string& key);

}  // namespace warpwright::lab
