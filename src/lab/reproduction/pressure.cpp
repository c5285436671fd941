#include "lab/reproduction/pressure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>

namespace warpwright::lab {
namespace {

// Classes of private memory where the compiler spills affine values first: the paper's machine of that name.
constexpr const char* kAffineFirst = "affine_first";

std::string columnText(const std::string& name, const std::string& value) {
  return fmt::format("[[columns]]\nname = \"{}\"\nvalue = \"\"\"{}\"\"\"\n", name, value);
}

std::string columnsText(const std::vector<StudyColumn>& columns) {
  std::string text = "\n";
  for (const StudyColumn& column : columns) text += columnText(column.name, column.value);
  return text;
}

// In joules, at the middle and the bounds of what events cost.
std::string energyColumns() {
  return columnText("energy", "timing.energy.total.value") + columnText("energy_low", "timing.energy.total.low") +
         columnText("energy_high", "timing.energy.total.high");
}

// "\"l1d.ways\" = 2, …"
std::string inlineTable(const std::vector<std::string>& settings) {
  std::string text;
  for (const std::string& setting : settings) {
    const std::size_t equals = setting.find('=');
    text += fmt::format("{}\"{}\" = {}", text.empty() ? "" : ", ", setting.substr(0, equals), setting.substr(equals + 1));
  }
  return text;
}

// The same kernel with blocks of 32 x 32 where the program has them.
StudiedKernel wide(const StudiedKernel& kernel, const std::vector<std::string>& programs) {
  if (std::find(programs.begin(), programs.end(), kernel.program) == programs.end()) return kernel;
  return {kernel.program, kernel.kernel + "32", kernel.variant.empty() ? "wide" : kernel.variant + "-wide"};
}

// "affine_wide.0.5": the name, and what follows the first dot.
std::pair<std::string, std::string> parts(const std::string& name) {
  const std::size_t dot = std::min(name.find('.'), name.size());
  return {name.substr(0, dot), dot == name.size() ? "" : name.substr(dot + 1)};
}

// "joint.0.5" of "speedup.joint.0.5": the machine, and the share.
std::pair<std::string, double> machineAndShare(const std::string& detail, const std::string& published) {
  if (std::isalpha(static_cast<unsigned char>(detail[0])) == 0) return {published, std::stod(detail)};
  const auto [machine, share] = parts(detail);
  return {machine, std::stod(share)};
}

std::optional<double> gainedPercent(std::optional<double> more, std::optional<double> less) {
  if (!more || !less || *less == 0) return std::nullopt;
  return 100 * (*more / *less - 1);
}

std::optional<u32> registersOf(const Row& row) {
  for (const Setting& setting : row.parameters)
    if (setting.name == kMaxRegisters) return static_cast<u32>(std::stoul(setting.value));
  return std::nullopt;
}

}  // namespace

std::optional<double> Pressure::value(const StudiedKernel& kernel, const std::string& name) {
  const auto [what, detail] = parts(name);
  if (what == "cache") return smallestCached(kernel, detail);
  if (what == "ratio") return mean({kernel}, name);
  const std::optional<u32> base = count(kernel, "base"), minimum = count({kernel.program, {}}, "minimum");
  if (!base || !minimum) return std::nullopt;
  const auto [configuration, share] = machineAndShare(detail, paper_.pressure.machine);
  const std::vector<u32> registers = {std::max(*minimum, static_cast<u32>(std::lround(share * *base)))};
  if (what == "floats" || what == "affine") return measureOne({Purpose::classes, kernel, {}, registers}, what);
  if (what == "affine_wide") return measureOne({Purpose::classes, wide(kernel, paper_.pressure.wide), {}, registers}, "affine");
  if (what == kAffineFirst) return measureOne({Purpose::classes, kernel, kAffineFirst, registers}, "affine");
  const std::string column = what == "speedup" ? "cycles" : what;
  const std::optional<double> before = measureOne({Purpose::gains, kernel, baselineOf(configuration), registers}, column);
  const std::optional<double> after = measureOne({Purpose::gains, kernel, configuration, registers}, column);
  if (what == "speedup") return gainedPercent(before, after);
  if (what == "dram") return before && after && *before != 0 ? std::optional<double>(*after / *before) : std::nullopt;
  const std::optional<double> change = gainedPercent(after, before);
  return change ? std::optional<double>(-*change) : std::nullopt;
}

template <class ValueOf>
std::optional<double> Pressure::meanBy(const std::vector<StudiedKernel>& kernels, ValueOf valueOf) {
  std::map<std::string, std::pair<double, u32>> applications;  // sum and number of values
  for (const StudiedKernel& kernel : kernels) {
    const std::optional<double> found = valueOf(kernel);
    if (!found) continue;
    applications[kernel.program].first += *found;
    ++applications[kernel.program].second;
  }
  if (applications.empty()) return std::nullopt;
  double sum = 0;
  for (const auto& [name, values] : applications) sum += values.first / values.second;
  return sum / static_cast<double>(applications.size());
}

std::optional<double> Pressure::mean(const std::vector<StudiedKernel>& kernels, const std::string& name) {
  const auto [what, detail] = parts(name);
  const auto between = [&](const StudiedKernel& kernel, const std::optional<u32>& high, const std::optional<u32>& low) {
    return high && low && count(kernel, "base") ? std::optional<double>(static_cast<double>(*high) - *low) : std::nullopt;
  };
  const auto gained = [&, &configuration = detail](const StudiedKernel& kernel) {
    return between(kernel, smallestCached(kernel, baselineOf(configuration)), smallestCached(kernel, configuration));
  };
  const auto held = [&, &configuration = detail](const StudiedKernel& kernel) {
    return between(kernel, count(kernel, "base"), smallestCached(kernel, baselineOf(configuration)));
  };
  if (what == "gain") return meanBy(kernels, gained);
  if (what == "ratio") return meanRatio(kernels, detail);
  if (what != "capacity") return meanBy(kernels, [&](const StudiedKernel& kernel) { return value(kernel, name); });
  const std::optional<double> more = meanBy(kernels, gained), all = meanBy(kernels, held);
  if (!more || !all || *all == 0) return std::nullopt;
  return 100 * *more / *all;
}

// Of means, as traffic that is next to nothing would decide a mean of ratios.
std::optional<double> Pressure::meanRatio(const std::vector<StudiedKernel>& kernels, const std::string& configuration) {
  const auto sumOf = [&](double Traffic::*which) {
    return meanBy(kernels, [&](const StudiedKernel& kernel) -> std::optional<double> {
      const std::optional<Traffic> sums = compared(kernel, configuration);
      return sums ? std::optional<double>((*sums).*which) : std::nullopt;
    });
  };
  const std::optional<double> own = sumOf(&Traffic::own), baseline = sumOf(&Traffic::baseline);
  return own && baseline && *baseline != 0 ? std::optional<double>(*own / *baseline) : std::nullopt;
}

std::string Pressure::baselineOf(const std::string& configuration) const {
  const std::string& own = machineOf(paper_, configuration).baseline;
  return own.empty() ? paper_.pressure.baseline : own;
}

Pressure::Values Pressure::traffic(const StudiedKernel& kernel, const std::string& configuration) {
  const std::optional<u32> base = count(kernel, "base"), minimum = count({kernel.program, {}}, "minimum");
  if (!base || !minimum) return {};
  Runs runs{Purpose::traffic, kernel, configuration, {}};
  for (const TrafficInput& input : paper_.traffic)
    if (input.program == kernel.program) runs.kernel.variant = input.variant;
  for (u32 registers = *minimum; registers <= *base; ++registers) runs.registers.push_back(registers);
  return measure(runs, "traffic");
}

// Of all numbers, as traffic need not fall with every register more: what is spilled may be spilled elsewhere.
std::optional<u32> Pressure::smallestCached(const StudiedKernel& kernel, const std::string& configuration) {
  const Values values = traffic(kernel, configuration);
  const auto found = std::find_if(values.begin(), values.end(), [&](const auto& each) { return each.second < paper_.pressure.negligible; });
  return found == values.end() ? std::nullopt : std::optional<u32>(found->first);
}

std::optional<Pressure::Traffic> Pressure::compared(const StudiedKernel& kernel, const std::string& configuration) {
  const Values before = traffic(kernel, baselineOf(configuration)), after = traffic(kernel, configuration);
  Traffic sums;
  for (const auto& [registers, value] : before) {
    const auto found = after.find(registers);
    if (found == after.end()) continue;
    sums.baseline += value;
    sums.own += found->second;
  }
  return before.empty() ? std::nullopt : std::optional<Traffic>(sums);
}

std::optional<u32> Pressure::count(const StudiedKernel& kernel, const char* which) {
  const std::optional<double> found = registers_(kernel.program, kernel.kernel, fmt::format("{}.{}", paper_.pressure.registers, which));
  return found ? std::optional<u32>(static_cast<u32>(*found)) : std::nullopt;
}

std::string Pressure::optionsText(const Runs& runs) const {
  const bool isClasses = runs.purpose == Purpose::classes;
  std::string text = "[options]\naddress_bits = 32\n";
  const std::string spillFirst = runs.configuration.empty() ? "" : machineOf(paper_, runs.configuration).spillFirst;
  if (!spillFirst.empty()) text += fmt::format("spill_first = \"{}\"\n", spillFirst);
  if (isClasses) text += "functional = true\n";
  if (isAccounted(runs)) text += fmt::format("energy = \"{}\"\n", paper_.energy.table);
  if (runs.purpose != Purpose::traffic) return text;
  return text + "sample_blocks = 1\n";  // the least: the first blocks, four times what the SM holds
}

bool Pressure::isAccounted(const Runs& runs) const { return runs.purpose == Purpose::gains && !paper_.energy.table.empty(); }

std::string Pressure::textOf(const Runs& runs) const {
  const bool isClasses = runs.purpose == Purpose::classes, isTraffic = runs.purpose == Purpose::traffic;
  const std::string& variant = runs.kernel.variant;
  std::string text = fmt::format("name = \"{}-{}\"\nprograms = [{{ run = \"{}\", size = \"{}\", arguments = [{}] }}]\n", paper_.id,
                                 isTraffic ? "traffic" : "pressure", runs.kernel.program, size_,
                                 variant.empty() ? "" : fmt::format("\"--variant\", \"{}\"", variant));
  const PublishedMachine& chosen = isClasses ? paper_.pressure.classes : machineOf(paper_, runs.configuration);
  const std::string suffix = isClasses && !runs.configuration.empty() ? "_" + runs.configuration : "";
  text += fmt::format("machines = [{{ machine = \"{}\", name = \"{}{}\", set = {{ {} }} }}]\n", chosen.preset, chosen.name, suffix,
                      inlineTable(chosen.settings));
  text += fmt::format("[sweep]\n{} = [{}]\n", kMaxRegisters, fmt::join(runs.registers, ", "));
  text += optionsText(runs);
  if (isClasses) return text + columnsText(paper_.pressure.classColumns);
  text += columnsText(paper_.pressure.columns);
  return isAccounted(runs) ? text + energyColumns() : text;
}

Pressure::Values Pressure::measure(const Runs& runs, const std::string& column) {
  const std::string text = textOf(runs);
  const auto [entry, isNew] = tables_.try_emplace(text);
  if (isNew) entry->second = run_(text);
  const Table& table = entry->second;
  const auto at = std::find(table.columns.begin(), table.columns.end(), column);
  if (at == table.columns.end()) throw Error("runs under register pressure have no value '" + column + "'", {}, "see docs/lab.md");
  Values values;
  for (const Row& row : table.rows) {
    const std::optional<u32> registers = registersOf(row);
    if (row.kernel != runs.kernel.kernel || !registers || row.values.empty()) continue;
    if (const Value& found = row.values[static_cast<std::size_t>(at - table.columns.begin())]) values[*registers] = *found;
  }
  return values;
}

std::optional<double> Pressure::measureOne(const Runs& runs, const std::string& column) {
  const Values values = measure(runs, column);
  return values.empty() ? std::nullopt : std::optional<double>(values.begin()->second);
}

}  // namespace warpwright::lab
