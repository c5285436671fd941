// Where tables of energies are.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace warpwright::energy {

// The file that NAME or PATH means; a relative path starts at `folder` (empty: the current one). Throws Error with the nearest table.
std::filesystem::path tableFile(const std::string& nameOrPath, const std::filesystem::path& folder = {});

// The names of the tables beside the machine files, in the order of the alphabet.
std::vector<std::string> tableNames();

}  // namespace warpwright::energy
