// "Did you mean …?": the candidate with the least edit distance to a misspelt name.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace warpwright {

// The nearest candidate, or an empty string when none is near enough to be worth naming (distance over half the length).
std::string nearestName(std::string_view name, std::span<const std::string> candidates);

}  // namespace warpwright
