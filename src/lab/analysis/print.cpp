#include "lab/analysis/print.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "lab/analysis/text_table.hpp"

namespace warpwright::lab {
namespace {

using Json = nlohmann::ordered_json;

// Counts in full, ratios with four digits.
std::string shortText(const Value& value) {
  if (!value) return "-";
  const bool isWhole = std::floor(*value) == *value && std::abs(*value) < 1e15;
  return isWhole ? fmt::format("{}", static_cast<s64>(*value)) : fmt::format("{:.4g}", *value);
}

std::string fullText(const Value& value) { return value ? fmt::format("{}", *value) : std::string(); }

std::vector<std::string> namesOfPoint(const Table& table) {
  std::vector<std::string> names = {"program"};
  if (table.byKernel) names.emplace_back("kernel");
  names.emplace_back("machine");
  names.insert(names.end(), table.parameters.begin(), table.parameters.end());
  return names;
}

std::vector<std::string> pointOf(const Table& table, const Row& row) {
  std::vector<std::string> point = {row.program};
  if (table.byKernel) point.push_back(row.kernel.empty() ? "-" : row.kernel);
  point.push_back(row.machine);
  for (const std::string& name : table.parameters) point.push_back(valueOf(row.parameters, name));
  return point;
}

std::vector<std::string> textRow(const Table& table, const Row& row) {
  std::vector<std::string> cells = pointOf(table, row);
  for (const Value& value : row.values) cells.push_back(row.state == State::done ? shortText(value) : std::string(nameOf(row.state)));
  return cells;
}

std::vector<std::string> textRow(const Table& table, const MeanRow& mean) {
  std::vector<std::string> cells = {fmt::format("{} mean", nameOf(mean.mean))};
  if (table.byKernel) cells.emplace_back(table.byApplication ? "(applications alike)" : "(kernels alike)");
  cells.push_back(mean.machine);
  for (const std::string& name : table.parameters) cells.push_back(valueOf(mean.parameters, name));
  for (std::size_t i = 0; i < mean.values.size(); ++i) {
    const bool some = mean.values[i] && mean.counts[i] < mean.wanted[i];
    cells.push_back(!mean.values[i] ? ""
                                    : shortText(mean.values[i]) + (some ? fmt::format(" ({} of {})", mean.counts[i], mean.wanted[i]) : ""));
  }
  return cells;
}

// As RFC 4180 has it.
std::string csvCell(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string csvLine(const std::vector<std::string>& cells) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) line += (i == 0 ? "" : ",") + csvCell(cells[i]);
  return line + "\n";
}

Json valuesJson(const std::vector<std::string>& columns, const std::vector<Value>& values) {
  Json object = Json::object();
  for (std::size_t i = 0; i < columns.size(); ++i) object[columns[i]] = values[i] ? Json(*values[i]) : Json(nullptr);
  return object;
}

Json parametersJson(const Settings& parameters) {
  Json object = Json::object();
  for (const Setting& parameter : parameters) object[parameter.name] = parameter.value;
  return object;
}

}  // namespace

std::string asText(const Table& table) {
  std::vector<std::string> names = namesOfPoint(table);
  const std::size_t coordinates = names.size();
  names.insert(names.end(), table.columns.begin(), table.columns.end());
  std::vector<std::vector<std::string>> rows = {names};
  for (const Row& row : table.rows) rows.push_back(textRow(table, row));
  for (const MeanRow& mean : table.means) rows.push_back(textRow(table, mean));
  std::string text = alignedText(rows, coordinates);
  for (const std::string& remark : table.remarks) text += "note: " + remark + "\n";
  return text;
}

std::string asCsv(const Table& table) {
  std::vector<std::string> names = {"program", "application", "kernel", "machine"};
  names.insert(names.end(), table.parameters.begin(), table.parameters.end());
  names.insert(names.end(), {"state", "message"});
  names.insert(names.end(), table.columns.begin(), table.columns.end());
  std::string text = csvLine(names);
  for (const Row& row : table.rows) {
    std::vector<std::string> cells = {row.program, row.application, row.kernel, row.machine};
    for (const std::string& name : table.parameters) cells.push_back(valueOf(row.parameters, name));
    cells.insert(cells.end(), {std::string(nameOf(row.state)), row.message});
    for (const Value& value : row.values) cells.push_back(fullText(value));
    text += csvLine(cells);
  }
  return text;
}

std::string asJson(const Table& table) {
  Json result = {{"columns", table.columns}, {"rows", Json::array()}, {"means", Json::array()}, {"remarks", table.remarks}};
  for (const Row& row : table.rows)
    result["rows"].push_back({{"program", row.program},
                              {"application", row.application},
                              {"kernel", row.kernel},
                              {"machine", row.machine},
                              {"parameters", parametersJson(row.parameters)},
                              {"state", nameOf(row.state)},
                              {"message", row.message},
                              {"values", valuesJson(table.columns, row.values)}});
  for (const MeanRow& mean : table.means)
    result["means"].push_back({{"mean", nameOf(mean.mean)},
                               {"weights", table.byApplication ? "application" : "row"},
                               {"machine", mean.machine},
                               {"parameters", parametersJson(mean.parameters)},
                               {"values", valuesJson(table.columns, mean.values)},
                               {"rows_with_value", mean.counts}});
  return result.dump(2) + "\n";
}

}  // namespace warpwright::lab
