#include "lab/reproduction/reproduce.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "base/file.hpp"
#include "lab/analysis/expression.hpp"
#include "lab/reproduction/bank_maps.hpp"
#include "lab/reproduction/grids.hpp"
#include "lab/reproduction/hardware.hpp"
#include "lab/reproduction/pick.hpp"
#include "lab/reproduction/settings.hpp"
#include "lab/reproduction/synthesis.hpp"
#include "lab/reproduction/tag_rules.hpp"

namespace warpwright::lab {
namespace {

void replaceSize(Experiment& experiment, const std::string& size) {
  for (Program& program : experiment.programs)
    for (std::size_t i = 0; i + 1 < program.arguments.size(); ++i)
      if (program.arguments[i] == "--size") program.arguments[i + 1] = size;
}

// Experiments that account energies do so with the table of the paper's.
void replaceEnergy(Experiment& experiment, const std::string& table) {
  for (Setting& option : experiment.options)
    if (option.name == "energy" && !table.empty()) option.value = table;
}

bool isAt(const Row& row, const PublishedValue& value) {
  return row.program == value.program && row.kernel == value.kernel && (value.machine.empty() || row.machine == value.machine);
}

bool isAt(const MeanRow& row, const PublishedValue& value) {
  return nameOf(row.mean) == value.mean && (value.machine.empty() || row.machine == value.machine);
}

Value valueIn(const Table& table, const PublishedValue& value) {
  const std::size_t column = columnOf(table, value.ours);
  const auto find = [&](const auto& rows) -> Value {
    const auto row = std::find_if(rows.begin(), rows.end(), [&](const auto& each) { return isAt(each, value); });
    return row == rows.end() ? std::nullopt : row->values[column];
  };
  return value.mean.empty() ? find(table.rows) : find(table.means);
}

// How far one row exceeds another, as a share of the other.
Value excess(const Table& table, const PublishedValue& value) {
  PublishedValue other = value;
  other.kernel = value.overKernel;
  other.machine = value.overMachine;
  const Value mine = valueIn(table, value), base = valueIn(table, other);
  return mine && base && *base != 0 ? Value(*mine / *base - 1) : std::nullopt;
}

bool isEnergy(const Item& item) {
  return std::any_of(item.values.begin(), item.values.end(), [](const PublishedValue& value) { return value.ours.starts_with("energy."); });
}

std::string energyNote(const EnergyChoice& energy) {
  return fmt::format("Energy by table {} ({}); in brackets with all costs at their low and high bounds", energy.table, energy.reason);
}

// Of an energy, the name of its value at a bound of what events cost; empty: it is none.
std::string boundName(const PublishedValue& value, const std::string& bound) {
  const std::string kind = "energy.";
  return value.ours.starts_with(kind) ? "energy_" + bound + "." + value.ours.substr(kind.size()) : "";
}

bool isTraffic(const Item& item) {
  const auto isOne = [](const PublishedValue& value) {
    return value.ours.starts_with("cache.") || value.ours.starts_with("gain.") || value.ours.starts_with("ratio.");
  };
  return item.origin == Origin::pressure && std::any_of(item.values.begin(), item.values.end(), isOne);
}

std::string trafficNote(const TrafficInput& each) { return fmt::format("{} --variant {}: {}", each.program, each.variant, each.reason); }

// What a figure of hundreds of bars draws.
std::string profilesNote(const std::string& store, const std::string& file, const Table& table, const Pick& pick) {
  const std::string name = std::filesystem::path(file).stem().string();
  const auto rows = std::count_if(table.rows.begin(), table.rows.end(), [&](const Row& row) { return row.machine != pick.name; });
  return fmt::format("{}: {} rows, which `warpwright report {} {} -o report.html` draws",
                     table.byKernel ? "Kernel by kernel" : "Program by program", rows, store, name);
}

}  // namespace

std::vector<Item> select(const Paper& paper, const Selection& selection) {
  std::vector<Item> items;
  std::vector<std::string> known;
  for (const Item& item : paper.items) {
    if ((item.origin == Origin::synthesis) != selection.hardware) continue;
    std::string name = fmt::format("{} {}", item.kind, item.number);
    if (std::ranges::find(known, name) == known.end()) known.push_back(std::move(name));
    const bool all = selection.figure.empty() && selection.table.empty() && selection.section.empty();
    const std::string& wanted = selection.of(item.kind);
    const bool named = wanted == item.number;
    // "1" names 1a and 1b.
    const bool part =
        !wanted.empty() && item.number.size() == wanted.size() + 1 && item.number.starts_with(wanted) && std::isalpha(item.number.back());
    if ((all || named || part) && (selection.chapter.empty() || selection.chapter == item.chapter)) items.push_back(item);
  }
  if (items.empty())
    throw Error(fmt::format("paper {} has nothing of that number{}", paper.id, selection.hardware ? " that is synthesised" : ""), {},
                known.empty() ? "leave --hardware out" : fmt::format("it has {}", fmt::join(known, ", ")));
  return items;
}

Reproduction::Reproduction(const Paper& paper, const Simulator& simulator, Store& store, const SweepOptions& options,
                           const std::string& size)
    : paper_(paper),
      simulator_(simulator),
      store_(store),
      options_(options),
      size_(size),
      registers_(simulator, paper.targets),
      pressure_([this](const std::string& program, const std::string& kernel,
                       const std::string& name) { return registers_.count(program, kernel, name); },
                paper, size,
                [this](const std::string& text) {
                  Mistakes mistakes;
                  const Experiment experiment = parseExperiment(text, paper_.folder + "/pressure.toml", mistakes);
                  return carryOut(experiment, mistakes);
                }) {
  for (const Item& item : paper.items) {
    if (item.origin != Origin::pressure) continue;
    for (const PublishedValue& value : item.values) {
      if (!value.program.empty()) studied_.push_back({value.program, value.kernel, value.variant});
    }
  }
  std::sort(studied_.begin(), studied_.end());
  studied_.erase(std::unique(studied_.begin(), studied_.end()), studied_.end());
}

Table Reproduction::carryOut(const Experiment& experiment, Mistakes& mistakes) {
  const Plan whole = plan(experiment, simulator_, mistakes);
  mistakes.report();
  const Id id = store_.add(whole);
  if (runHere(store_, id, simulator_, options_) == SweepEnd::interrupted)
    throw Error("interrupted", {}, "the same command goes on from here");
  for (const ProgramProgress& program : store_.progress(id)) failed_ += program.failed;
  return lab::tableOf(store_, store_.find(fmt::format("{}@{}", experiment.name, id)));
}

const Table& Reproduction::tableOf(const std::string& experiment) {
  if (const auto known = tables_.find(experiment); known != tables_.end()) return known->second;
  const std::string file = paper_.folder + "/" + experiment;
  Mistakes mistakes;
  Experiment parsed = parseExperiment(readFile(file), file, mistakes);
  replaceSize(parsed, size_);
  replaceEnergy(parsed, paper_.energy.table);
  Table& table = tables_[experiment] = carryOut(parsed, mistakes);
  if (experiment == paper_.pick.experiment) addPick(table, paper_.pick);
  return table;
}

Value Reproduction::ours(const Item& item, const PublishedValue& value) {
  const auto found = [&]() -> Value {
    switch (item.origin) {
      case Origin::runs:
        if (item.experiment.empty()) return std::nullopt;
        return value.overKernel.empty() && value.overMachine.empty() ? valueIn(tableOf(item.experiment), value)
                                                                     : excess(tableOf(item.experiment), value);
      case Origin::registers:
        return Expression(value.ours).evaluate([&](const std::string& name) {
          return registers_.count(value.program, value.kernel, name);
        });
      case Origin::pressure:
        return value.program.empty() ? pressure_.mean(studied_, value.ours)
                                     : pressure_.value({value.program, value.kernel, value.variant}, value.ours);
      case Origin::bankMaps:
        return bankMapValue(value.map, value.pattern, value.ours);
      case Origin::settings:
        return settingNumber(paper_, value.machine, value.ours);
      case Origin::hardware:
        return hardwareValue(paper_, value.machine, value.ours);
      case Origin::spe:
        return spe_.value(value.program, value.machine, value.ours);
      case Origin::synthesis:
        return synthesisValue(synthesis_, value);
      case Origin::tagRules:
      case Origin::picks:
        return std::nullopt;
    }
    return std::nullopt;
  }();
  return found ? Value(*found * value.scale) : found;
}

std::optional<Bounds> Reproduction::boundsOf(const Item& item, const PublishedValue& value) {
  if (item.origin != Origin::pressure || boundName(value, "low").empty()) return std::nullopt;
  PublishedValue low = value, high = value;
  low.ours = boundName(value, "low");
  high.ours = boundName(value, "high");
  const Value first = ours(item, low), second = ours(item, high);
  return first && second ? std::optional(Bounds{*first, *second}) : std::nullopt;
}

std::vector<std::string> Reproduction::oursInWords(const Item& item, const PublishedValue& value) {
  if (item.origin == Origin::picks) return leastOf(tableOf(paper_.pick.experiment), paper_.pick, value.program);
  const std::string word = item.origin == Origin::tagRules ? tagOfResult(value.ours)
                           : item.origin == Origin::spe    ? portWord(value.ours)
                                                           : settingWord(paper_, value.machine, value.ours);
  return word.empty() ? std::vector<std::string>{} : std::vector{word};
}

Compared Reproduction::compared(const Item& item, const PublishedValue& value) {
  Compared result{.value = value, .ours = {}, .bounds = {}, .words = {}};
  if (!item.mechanism.empty() || !value.mechanism.empty()) return result;
  if (!value.word.empty()) {
    result.words = oursInWords(item, value);
    return result;
  }
  result.ours = ours(item, value);
  if (result.ours) result.bounds = boundsOf(item, value);
  return result;
}

std::vector<std::string> Reproduction::notesOn(const Item& item) {
  std::vector<std::string> notes;
  if (!item.reason.empty()) notes.push_back(item.reason);
  if (isEnergy(item)) notes.push_back(energyNote(paper_.energy));
  if (isTraffic(item))
    for (const TrafficInput& each : paper_.traffic) notes.push_back(trafficNote(each));
  if (!item.profiles.empty()) notes.push_back(profilesNote(store_.file(), item.profiles, tableOf(item.profiles), paper_.pick));
  return notes;
}

ItemComparison Reproduction::compare(const Item& item) {
  ItemComparison comparison{.item = item, .values = {}, .drawings = {}, .notes = {}};
  for (const PublishedValue& value : item.values) comparison.values.push_back(compared(item, value));
  if (!item.bars.columns.empty()) comparison.drawings += barsText(tableOf(item.experiment), item.bars);
  if (!item.map.columns.empty()) comparison.drawings += mapText(tableOf(item.experiment), item.map);
  comparison.notes = notesOn(item);
  return comparison;
}

}  // namespace warpwright::lab
