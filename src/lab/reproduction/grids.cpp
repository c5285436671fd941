#include "lab/reproduction/grids.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lab/analysis/text_table.hpp"
#include "lab/reproduction/number_text.hpp"

namespace warpwright::lab {
namespace {

using Lines = std::vector<std::vector<std::string>>;

constexpr const char* kIndent = "  ";

std::string cell(const Value& value) { return value ? numberText(*value, "") : std::string(); }

void addOnce(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

// What a row is of: a program, or a kernel of one.
std::string subjectOf(const Row& row) { return row.kernel.empty() ? row.program : row.program + " " + row.kernel; }

std::vector<std::string> subjectsOf(const Table& table) {
  std::vector<std::string> subjects;
  for (const Row& row : table.rows) addOnce(subjects, subjectOf(row));
  return subjects;
}

// A value of one cell: of a machine in a column.
struct Place {
  std::string machine;
  std::size_t column;
};

Value valueAt(const Table& table, const std::string& subject, const Place& place) {
  for (const Row& row : table.rows)
    if (subjectOf(row) == subject && row.machine == place.machine) return row.values[place.column];
  return std::nullopt;
}

// One a place; empty where there is none.
std::vector<std::string> meanCells(const Table& table, Mean mean, const std::vector<Place>& places) {
  std::vector<std::string> cells;
  for (const Place& place : places) {
    const auto found = std::find_if(table.means.begin(), table.means.end(),
                                    [&](const MeanRow& row) { return row.mean == mean && row.machine == place.machine; });
    cells.push_back(found == table.means.end() ? std::string() : cell(found->values[place.column]));
  }
  return cells;
}

std::string gridText(const Table& table, const std::vector<std::string>& header, const std::vector<Place>& places) {
  Lines lines = {header};
  for (const std::string& subject : subjectsOf(table)) {
    std::vector<std::string>& line = lines.emplace_back(1, kIndent + subject);
    for (const Place& place : places) line.push_back(cell(valueAt(table, subject, place)));
  }
  for (const Mean mean : {Mean::arithmetic, Mean::geometric, Mean::harmonic}) {
    const std::vector<std::string> cells = meanCells(table, mean, places);
    if (std::all_of(cells.begin(), cells.end(), [](const std::string& text) { return text.empty(); })) continue;
    std::vector<std::string>& line = lines.emplace_back(1, fmt::format("{}{} mean", kIndent, nameOf(mean)));
    line.insert(line.end(), cells.begin(), cells.end());
  }
  return alignedText(lines, 1);
}

// The values of a parameter, in the order of the runs.
std::vector<std::string> valuesOf(const Table& table, const std::string& parameter) {
  std::vector<std::string> values;
  for (const MeanRow& row : table.means) addOnce(values, valueOf(row.parameters, parameter));
  return values;
}

Value meanAt(const Table& table, std::size_t column, const Map& map, const std::string& down, const std::string& across) {
  for (const MeanRow& row : table.means) {
    const bool isThere = valueOf(row.parameters, map.down) == down && valueOf(row.parameters, map.across) == across;
    if (isThere && row.values[column]) return row.values[column];
  }
  return std::nullopt;
}

Value leastIn(const Table& table, std::size_t column) {
  Value least;
  for (const MeanRow& row : table.means)
    if (row.values[column] && (!least || *row.values[column] < *least)) least = row.values[column];
  return least;
}

// A parameter without the sections of its key.
std::string lastPart(const std::string& key) { return key.substr(key.rfind('.') + 1); }

std::string mapOf(const Table& table, const std::string& name, const Map& map) {
  const std::size_t column = columnOf(table, name);
  const std::vector<std::string> across = valuesOf(table, map.across);
  const Value least = leastIn(table, column);
  Lines lines = {{fmt::format("{}{}: {} by {}", kIndent, name, lastPart(map.down), lastPart(map.across))}};
  for (const std::string& each : across) lines.front().push_back(each + "  ");  // over the digits, as marks stand behind them
  for (const std::string& down : valuesOf(table, map.down)) {
    std::vector<std::string>& line = lines.emplace_back(1, kIndent + down);
    for (const std::string& each : across) {
      const Value value = meanAt(table, column, map, down, each);
      line.push_back(cell(value) + (value && value == least ? " *" : "  "));
    }
  }
  return alignedText(lines, 1);
}

}  // namespace

std::string barsText(const Table& table, const Bars& bars) {
  std::vector<std::string> header = {std::string(kIndent) + (table.byKernel ? "program and kernel" : "program")};
  if (bars.machines.size() == 1) {
    std::vector<Place> places;
    for (const std::string& column : bars.columns) places.push_back({bars.machines.front(), columnOf(table, column)});
    header.insert(header.end(), bars.columns.begin(), bars.columns.end());
    return gridText(table, header, places);
  }
  header.insert(header.end(), bars.machines.begin(), bars.machines.end());
  std::string text;
  for (const std::string& column : bars.columns) {
    std::vector<Place> places;
    for (const std::string& machine : bars.machines) places.push_back({machine, columnOf(table, column)});
    header.front() = kIndent + column;
    text += gridText(table, header, places);
  }
  return text;
}

std::string mapText(const Table& table, const Map& map) {
  std::string text;
  for (const std::string& column : map.columns) text += mapOf(table, column, map);
  return text.empty() ? text : text + "  * the least\n";
}

}  // namespace warpwright::lab
