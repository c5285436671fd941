#include "report/kernel_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <stdexcept>

#include "base/error.hpp"
#include "base/memory_units.hpp"
#include "profile/counters.hpp"
#include "profile/derived.hpp"
#include "stats/json.hpp"

namespace warpwright::report {
namespace {

// A counter by its path. A store that does not have it was written by another version.
double counterAt(const Json& node, const std::string& pointer) {
  const Json::json_pointer at("/" + pointer);
  if (node.contains(at) && node.at(at).is_number()) return node.at(at).get<double>();
  throw Error(fmt::format("the store has no counter '{}' where a report needs it", pointer), {},
              "run the experiment anew in another store");
}

// A counter of a line, which leaves out what is zero: one that no line can have is a mistake of ours.
double lineCounterAt(const Json& line, const std::string& pointer) {
  static const Json all = {{"counters", stats::toJson(profile::Counters{})},
                           {"derived", profile::derivedJson(profile::Counters{}, kMaxWarpSize)}};
  const Json::json_pointer at("/" + pointer);
  if (!all.contains(at)) throw std::logic_error("no line of a profile has a counter " + pointer);
  return line.contains(at) ? counterAt(line, pointer) : 0;
}

Json ratio(double part, double whole) { return whole == 0 ? Json(nullptr) : numberJson(part / whole); }

Json member(const Json& node, const char* name) {
  const auto found = node.find(name);
  return found == node.end() ? Json(nullptr) : *found;
}

// Sums a counter over loads, stores and atomics of memory spaces.
double sumOver(const Json& counters, std::initializer_list<const char*> spaces, const char* counter) {
  double sum = 0;
  for (const char* space : spaces)
    for (const char* access : {"loads", "stores", "atomics"})
      sum += lineCounterAt(counters, std::string("counters/") + space + "/" + access + "/" + counter);
  return sum;
}

// A line of the profile; the same figures as in the table of `warpwright run --lines`.
Json profiledLine(const Json& file, const Json& line) {
  const auto traffic = [&](const char* counter) { return sumOver(line, {"global", "local"}, counter); };
  const auto banks = [&](const char* counter) { return sumOver(line, {"shared"}, counter); };
  const Json derived = line.value("derived", Json::object());
  return {file,
          line.at("line"),
          numberJson(lineCounterAt(line, "derived/warp_instructions")),
          numberJson(lineCounterAt(line, "derived/thread_instructions")),
          member(derived, "simd_efficiency"),
          member(derived, "divergent_branch_share"),
          ratio(traffic("sectors"), traffic("requests")),
          ratio(traffic("bytes_used"), traffic("sectors") * kSectorBytes),
          member(line, "requests_per_sector"),
          ratio(banks("passes"), banks("phases")),
          nullptr};
}

Json waitingLine(const Json& file, const Json& line) {
  return {file, line.at("line"), line.at("warp_instructions"), nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr};
}

Json lostSlots(const Json& line, const std::vector<std::string>& slots) {
  Json lost = Json::array();
  for (const std::string& slot : slots) lost.push_back(line.at("lost_slots").value(slot, u64{0}));
  return lost;
}

Json numberOf(const Json& file, std::vector<std::string>& files) {
  if (!file.is_string()) return nullptr;
  const auto found = std::find(files.begin(), files.end(), file.get<std::string>());
  const auto number = found - files.begin();
  if (found == files.end()) files.push_back(file.get<std::string>());
  return number;
}

}  // namespace

void MetricTable::addRow(const Json& statistics) {
  rows_.emplace_back();
  addNumbers(statistics, {});
}

std::size_t MetricTable::columnOf(const std::string& name) {
  const auto [found, isNew] = columns_.try_emplace(name, names_.size());
  if (isNew) {
    names_.push_back(name);
    interesting_.push_back(false);
  }
  return found->second;
}

void MetricTable::addNumbers(const Json& node, const std::string& path) {
  for (const auto& [name, value] : node.items()) {
    const std::string below = path.empty() ? name : path + "." + name;
    if (value.is_object() && name != "bins") addNumbers(value, below);
    if (!value.is_number()) continue;
    const std::size_t column = columnOf(below);
    std::vector<Json>& row = rows_.back();
    row.resize(std::max(row.size(), column + 1));
    row[column] = value;
    if (value != 0) interesting_[column] = true;
  }
}

Json MetricTable::namesJson() const {
  Json names = Json::array();
  for (std::size_t i = 0; i < names_.size(); ++i)
    if (interesting_[i]) names.push_back(names_[i]);
  return names;
}

Json MetricTable::zeroNamesJson() const {
  Json names = Json::array();
  for (std::size_t i = 0; i < names_.size(); ++i)
    if (!interesting_[i]) names.push_back(names_[i]);
  return names;
}

Json MetricTable::rowJson(std::size_t row) const {
  Json values = Json::array();
  for (std::size_t i = 0; i < names_.size(); ++i)
    if (interesting_[i]) values.push_back(i < rows_[row].size() ? rows_[row][i] : Json(nullptr));
  return values;
}

Json linesOf(const Json& lists, const std::vector<std::string>& slots, std::vector<std::string>& files) {
  std::map<std::pair<Json, Json>, Json> lines;
  const auto key = [](const Json& row) { return std::pair(row[0], row[1]); };
  for (const Json& line : lists.value("lines", Json::array())) {
    Json row = profiledLine(numberOf(line.at("file"), files), line);
    lines.emplace(key(row), row);
  }
  for (const Json& line : lists.value("timing_lines", Json::array())) {
    Json row = waitingLine(numberOf(line.at("file"), files), line);
    Json& known = lines.try_emplace(key(row), row).first->second;
    known.back() = lostSlots(line, slots);
  }
  Json rows = Json::array();
  for (auto& [where, row] : lines) rows.push_back(std::move(row));
  return rows;
}

Json launchesOf(const Json& lists) {
  Json rows = Json::array();
  for (const Json& launch : lists.value("timing_launches", Json::array()))
    rows.push_back({launch.at("launch"), launch.at("grid"), numberJson(counterAt(launch, "counters/cycles")),
                    numberJson(counterAt(launch, "counters/gpu/sm/warp_instructions"))});
  return rows;
}

}  // namespace warpwright::report
