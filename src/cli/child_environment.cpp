#include "cli/child_environment.hpp"

#include <unistd.h>

#include <algorithm>
#include <string_view>

namespace warpwright::cli {

std::vector<std::string> environmentWith(const std::vector<std::pair<std::string, std::string>>& changes) {
  std::vector<std::string> result;
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string_view variable = *each;
    const auto isChanged = [&](const auto& change) { return variable.starts_with(change.first + '='); };
    if (std::ranges::none_of(changes, isChanged)) result.emplace_back(variable);
  }
  for (const auto& [name, value] : changes) result.push_back(name + '=' + value);
  return result;
}

}  // namespace warpwright::cli
