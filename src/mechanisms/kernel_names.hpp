// Kernels as users name them in settings and annotations: as PTX has them, or the source, with or without their parameters.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpwright::mechanisms {

// The parts of a text between commas, but for those between the brackets of a signature, without blanks around them.
std::vector<std::string> namesIn(std::string_view list);

// kernel: as PTX has it.
bool isCalled(const std::string& kernel, std::string_view name);
bool isAmong(const std::string& kernel, std::span<const std::string> names);

}  // namespace warpwright::mechanisms
