#include <fmt/format.h>

#include <vector>

#include "stats/json.hpp"

namespace warpwright::stats {
namespace {

// Quotes a cell as RFC 4180 asks.
std::string cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text) result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + '"';
}

void flatten(const Json& value, const std::string& name, std::vector<std::string>& names, std::vector<std::string>& values) {
  if (!value.is_object()) {
    names.push_back(cell(name));
    values.push_back(cell(value.is_string() ? value.get<std::string>() : value.is_null() ? "" : value.dump()));
    return;
  }
  for (const auto& [key, member] : value.items()) flatten(member, name.empty() ? key : name + "." + key, names, values);
}

}  // namespace

std::string csvHeader(const Json& object) {
  std::vector<std::string> names, values;
  flatten(object, "", names, values);
  return fmt::format("{}\n", fmt::join(names, ","));
}

std::string csvRow(const Json& object) {
  std::vector<std::string> names, values;
  flatten(object, "", names, values);
  return fmt::format("{}\n", fmt::join(values, ","));
}

}  // namespace warpwright::stats
