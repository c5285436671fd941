// "Did you mean …?": the candidate with the least edit distance to a misspelt name.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/error.hpp"

namespace warpwright {

// The nearest candidate, or an empty string when none is near enough to be worth naming (distance over half the length).
std::string nearestName(std::string_view name, std::span<const std::string> candidates);

// "unknown WHAT 'NAME'" with the nearest of the names that exist; `otherwise` is the remedy where none is near.
Error unknownName(std::string_view what, const std::string& name, std::span<const std::string> known, const SourcePosition& where,
                  const std::string& otherwise);

}  // namespace warpwright
