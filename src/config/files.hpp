// Where machine files are.
#pragma once

#include <filesystem>
#include <string>

namespace warpwright::config {

// The file that NAME or PATH means; a relative path starts at `folder` (empty: the current one). Throws Error with the nearest preset.
std::filesystem::path machineFile(const std::string& nameOrPath, const std::filesystem::path& folder = {});

// Throws Error when it cannot be read.
std::string readMachineText(const std::filesystem::path& file);

}  // namespace warpwright::config
