#include "energy/measurements.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <set>
#include <sstream>
#include <string_view>

#include "base/error.hpp"

namespace warpwright::energy {
namespace {

constexpr const char* kHeader = "the first line is benchmark,watts, and a name for each component";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  return first == std::string_view::npos ? std::string_view() : text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::vector<std::string> cellsOf(std::string_view line) {
  std::vector<std::string> cells;
  while (true) {
    const std::size_t comma = line.find(',');
    cells.emplace_back(trimmed(line.substr(0, comma)));
    if (comma == std::string_view::npos) return cells;
    line.remove_prefix(comma + 1);
  }
}

double numberOf(const std::string& cell, const std::string& column, const SourcePosition& where) {
  double value = 0;
  const auto [end, problem] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (problem == std::errc() && end == cell.data() + cell.size() && std::isfinite(value) && value >= 0) return value;
  throw Error(fmt::format("'{}' of {} is no power", cell, column), where, "a number of watts, 0 or more, with a point for decimals");
}

Measurements headerOf(const std::vector<std::string>& cells, const SourcePosition& where) {
  if (cells.size() < 3 || cells[0] != "benchmark" || cells[1] != "watts") throw Error("this is no header of measurements", where, kHeader);
  Measurements result{{cells.begin() + 2, cells.end()}, {}};
  std::set<std::string> names;
  for (const std::string& name : result.components) {
    if (name.empty() || !names.insert(name).second)
      throw Error(fmt::format("the component '{}' has no name, or one twice", name), where, kHeader);
  }
  return result;
}

Measurement rowOf(const std::vector<std::string>& cells, const std::vector<std::string>& components, const SourcePosition& where) {
  if (cells.size() != components.size() + 2) {
    throw Error(fmt::format("the line has {} cells, the header {}", cells.size(), components.size() + 2), where, "one for each column");
  }
  Measurement row{cells[0], numberOf(cells[1], "watts", where), {}};
  if (row.watts == 0) throw Error(fmt::format("'{}' took no power", row.benchmark), where, "measured power is above 0");
  for (std::size_t i = 0; i < components.size(); ++i) row.modelled.push_back(numberOf(cells[i + 2], components[i], where));
  return row;
}

}  // namespace

Measurements parseMeasurements(const std::string& csv, const std::string& fileName) {
  std::istringstream lines(csv);
  Measurements result;
  std::string line;
  for (unsigned number = 1; std::getline(lines, line); ++number) {
    if (trimmed(line).empty() || trimmed(line).starts_with('#')) continue;
    const SourcePosition where{fileName, number, 0};
    if (result.components.empty()) {
      result = headerOf(cellsOf(line), where);
    } else {
      result.rows.push_back(rowOf(cellsOf(line), result.components, where));
    }
  }
  if (result.rows.empty()) throw Error("there are no measurements", {fileName, 0, 0}, kHeader);
  return result;
}

}  // namespace warpwright::energy
