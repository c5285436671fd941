#include "mechanisms/kernel_names.hpp"

#include <algorithm>

#include "base/demangle.hpp"

namespace warpwright::mechanisms {
namespace {

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(' '), last = text.find_last_not_of(' ');
  return first == std::string_view::npos ? std::string_view() : text.substr(first, last - first + 1);
}

std::size_t endOfFirst(std::string_view text) {
  int depth = 0;
  for (std::size_t position = 0; position < text.size(); ++position) {
    const char c = text[position];
    depth += (c == '<' || c == '(') - (c == '>' || c == ')');
    if (c == ',' && depth == 0) return position;
  }
  return text.size();
}

}  // namespace

std::vector<std::string> namesIn(std::string_view list) {
  std::vector<std::string> names;
  while (!list.empty()) {
    const std::size_t end = endOfFirst(list);
    names.emplace_back(trimmed(list.substr(0, end)));
    list.remove_prefix(std::min(list.size(), end + 1));
  }
  return names;
}

bool isCalled(const std::string& kernel, std::string_view name) {
  const std::string signature = demangled(kernel);
  return name == kernel || name == signature || name == nameIn(signature);
}

bool isAmong(const std::string& kernel, std::span<const std::string> names) {
  return std::any_of(names.begin(), names.end(), [&](const std::string& each) { return isCalled(kernel, each); });
}

}  // namespace warpwright::mechanisms
