#include "energy/toml_reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/nearest.hpp"

namespace warpwright::energy {
namespace {

constexpr const char* kFormat = "docs/energy.md describes tables of energies";

}  // namespace

void TomlReader::refuseUnknown(std::string_view what, const std::string& name, const toml::key& key,
                               std::span<const std::string> known) const {
  const std::string near = nearestName(name, known);
  throw Error(fmt::format("unknown {} '{}'", what, name), at(key.source()),
              near.empty() ? std::string(kFormat) : fmt::format("did you mean '{}'?", near));
}

toml::table TomlReader::parse(const std::string& text) const {
  try {
    return toml::parse(text, file_);
  } catch (const toml::parse_error& error) {
    throw Error(std::string(error.description()), at(error.source()), kFormat);
  }
}

const toml::table& TomlReader::tableOf(const toml::node& node, const std::string& name) const {
  if (const toml::table* table = node.as_table()) return *table;
  refuse(node, fmt::format("'{}' is a table", name), fmt::format("write it as [{}]", name));
}

void TomlReader::refuseOtherKeys(const toml::table& table, std::initializer_list<std::string_view> known) const {
  const std::vector<std::string> names(known.begin(), known.end());
  for (const auto& [key, node] : table) {
    if (std::ranges::find(known, key.str()) == known.end()) refuseUnknown("key", std::string(key.str()), key, names);
  }
}

std::string TomlReader::text(const toml::table& table, std::string_view key, const std::string& of) const {
  const toml::node* node = table.get(key);
  if (node == nullptr) refuse(table, fmt::format("{} has no '{}'", of, key), kFormat);
  const auto text = node->value_exact<std::string>();
  if (!text || text->empty()) refuse(*node, fmt::format("'{}' is a text that is not empty", key), kFormat);
  return *text;
}

double TomlReader::positive(const toml::table& table, std::string_view key, const std::string& of) const {
  const toml::node* node = table.get(key);
  if (node == nullptr) refuse(table, fmt::format("{} has no '{}'", of, key), kFormat);
  const double value = number(*node, key);
  if (value <= 0) refuse(*node, fmt::format("'{}' is above 0", key), kFormat);
  return value;
}

double TomlReader::positiveOr(const toml::table& table, std::string_view key, double otherwise) const {
  return table.contains(key) ? positive(table, key, "") : otherwise;
}

Factor TomlReader::range(const toml::table& table, std::string_view key, const std::string& of) const {
  const toml::node* node = table.get(key);
  if (node == nullptr) refuse(table, fmt::format("{} has no '{}'", of, key), kFormat);
  const double value = number(*node, key);
  const toml::node *low = table.get("low"), *high = table.get("high"), *factor = table.get("within");
  const bool bounds = low != nullptr && high != nullptr;
  if ((low != nullptr) != (high != nullptr) || bounds == (factor != nullptr)) {
    refuse(table, fmt::format("the range of {} is not given, or given twice", of),
           "give 'low' and 'high', or 'within', a factor either way; say in 'source' why");
  }
  if (bounds) return checked(*node, {number(*low, "low"), value, number(*high, "high")});
  if (number(*factor, "within") < 1) refuse(*factor, "'within' is 1 or more", "from value / within to value x within");
  return checked(*node, energy::within<Factor>(value, number(*factor, "within")));
}

double TomlReader::number(const toml::node& node, std::string_view key) const {
  const auto value = node.value<double>();
  if (!node.is_number() || !std::isfinite(*value)) refuse(node, fmt::format("'{}' is a number", key), kFormat);
  return *value;
}

Factor TomlReader::checked(const toml::node& node, const Factor& range) const {
  // Beyond a millijoule, or a kilometre, somebody took another unit.
  constexpr double kMost = 1e9;
  if (range.low < 0 || range.low > range.value || range.value > range.high || range.high > kMost) {
    refuse(node, fmt::format("{} to {} is no range of {}", range.low, range.high, range.value), "0 <= low <= value <= high <= 1e9");
  }
  return range;
}

}  // namespace warpwright::energy
