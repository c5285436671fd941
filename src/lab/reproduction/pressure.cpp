#include "lab/reproduction/pressure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <map>

namespace warpwright::lab {
namespace {

// Section 5.1: below it, memory traffic is "negligible".
constexpr double kNegligible = 1.0 / 10'000;

// The configuration of table 3 that figure 7 is of.
constexpr const char* kPublished = "2";
constexpr const char* kClasses = "classes";

// Fills and write-backs of private memory, of both caches (section 5.1). Global reads are the only other fetches of the data cache. What
// the kernel before has left dirty is written back too; the kernel's own stores bound how much of it is its own.
constexpr const char* kTimedColumns = R"toml(
[[columns]]
name = "fills"
value = """timing.counters.gpu.l1d.fetches - timing.counters.gpu.l1d.misses.global_read
 + timing.counters.gpu.mechanisms.avc.fetches + timing.counters.gpu.mechanisms.avc.below.fetches"""
[[columns]]
name = "write_backs"
value = """min(timing.counters.gpu.l1d.write_backs + timing.counters.gpu.mechanisms.avc.write_backs
 + timing.counters.gpu.mechanisms.avc.below.write_backs,
 max(timing.counters.gpu.l1d.accesses.local_write, timing.counters.gpu.mechanisms.avc.writes))"""
[[columns]]
name = "traffic"
value = "(fills + write_backs) / timing.counters.gpu.sm.warp_instructions"
[[columns]]
name = "cycles"
value = "timing.counters.cycles"
)toml";

// Dynamic energy, in nJ, as a linear model of events (section 5.3's method).
std::string energyColumn(const std::vector<EnergyTerm>& terms) {
  std::string sum;
  for (const EnergyTerm& term : terms) sum += fmt::format("{}{} * ({})", sum.empty() ? "" : "\n + ", term.nanojoules, term.count);
  return fmt::format("[[columns]]\nname = \"energy\"\nvalue = \"\"\"{}\"\"\"\n", sum.empty() ? "0" : sum);
}

constexpr const char* kClassColumns = R"toml(
[options]
functional = true
address_bits = 32
[[columns]]
name = "affine"
value = "100 * mechanisms.memory_classes.figures.private_affine"
[[columns]]
name = "floats"
value = "100 * mechanisms.memory_classes.figures.private_affine_floats"
)toml";

// "\"mechanism.avc.ways\" = 2, …"
std::string inlineTable(const std::vector<std::string>& settings) {
  std::string text;
  for (const std::string& setting : settings) {
    const std::size_t equals = setting.find('=');
    text += fmt::format("{}\"{}\" = {}", text.empty() ? "" : ", ", setting.substr(0, equals), setting.substr(equals + 1));
  }
  return text;
}

bool hasWideBlocks(const std::string& program) { return program == "backprop" || program == "hotspot" || program == "srad"; }

// "affine_wide.0.5": the name, and what follows the first dot.
std::pair<std::string, std::string> parts(const std::string& name) {
  const std::size_t dot = std::min(name.find('.'), name.size());
  return {name.substr(0, dot), dot == name.size() ? "" : name.substr(dot + 1)};
}

std::optional<double> gainedPercent(std::optional<double> more, std::optional<double> less) {
  if (!more || !less || *less == 0) return std::nullopt;
  return 100 * (*more / *less - 1);
}

}  // namespace

std::optional<double> Pressure::value(const StudiedKernel& kernel, const std::string& name) {
  const auto [what, detail] = parts(name);
  if (what == "cache") return smallestCached(kernel, detail);
  const std::optional<u32> base = count(kernel, "base"), minimum = count({kernel.program, {}}, "minimum");
  if (!base || !minimum) return std::nullopt;
  // "speedup.joint.0.5": of a configuration that is not kPublished.
  const bool isNamed = std::isalpha(static_cast<unsigned char>(detail[0])) != 0;
  const auto [configuration, rest] = isNamed ? parts(detail) : std::pair<std::string, std::string>{kPublished, detail};
  const double share = std::stod(rest);
  const u32 registers = std::max(*minimum, static_cast<u32>(std::lround(share * *base)));
  if (what == "floats") return measure(kernel, false, kClasses, registers).floats;
  if (what == "affine" || what == "affine_wide") return measure(kernel, what == "affine_wide", kClasses, registers).affine;
  const Measured before = measure(kernel, false, "B", registers), after = measure(kernel, false, configuration, registers);
  if (what == "speedup") return gainedPercent(before.cycles, after.cycles);
  const std::optional<double> change = gainedPercent(after.energy, before.energy);
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
    return between(kernel, smallestCached(kernel, "B"), smallestCached(kernel, configuration));
  };
  const auto held = [&](const StudiedKernel& kernel) { return between(kernel, count(kernel, "base"), smallestCached(kernel, "B")); };
  if (what == "gain") return meanBy(kernels, gained);
  if (what != "capacity") return meanBy(kernels, [&](const StudiedKernel& kernel) { return value(kernel, name); });
  const std::optional<double> more = meanBy(kernels, gained), all = meanBy(kernels, held);
  if (!more || !all || *all == 0) return std::nullopt;
  return 100 * *more / *all;
}

// By bisection: with fewer registers there is more to spill.
std::optional<u32> Pressure::smallestCached(const StudiedKernel& kernel, const std::string& configuration) {
  const std::optional<u32> base = count(kernel, "base"), minimum = count({kernel.program, {}}, "minimum");
  if (!base || !minimum) return std::nullopt;
  const auto isNegligible = [&](u32 registers) {
    const std::optional<double> traffic = measure(kernel, false, configuration, registers).traffic;
    return traffic && *traffic < kNegligible;
  };
  u32 low = *minimum, high = *base;
  if (!isNegligible(high)) return std::nullopt;
  while (low < high) {
    const u32 middle = (low + high) / 2;
    (isNegligible(middle) ? high : low) = isNegligible(middle) ? middle : middle + 1;
  }
  return high;
}

std::optional<u32> Pressure::count(const StudiedKernel& kernel, const char* which) {
  const std::optional<double> found = registers_(kernel.program, kernel.kernel, fmt::format("fermi32.{}", which));
  return found ? std::optional<u32>(static_cast<u32>(*found)) : std::nullopt;
}

Pressure::Measured Pressure::measure(const StudiedKernel& kernel, bool wide, const std::string& configuration, u32 registers) {
  const bool isWide = wide && hasWideBlocks(kernel.program);
  std::string text = fmt::format("name = \"000-pressure\"\nprograms = [{{ run = \"{}\", size = \"{}\", arguments = [{}] }}]\n",
                                 kernel.program, size_, isWide ? "\"--variant\", \"wide\"" : "");
  if (configuration == kClasses) {
    text += "machines = [{ machine = \"fermi-avc\", name = \"classes\", set = { \"mechanism.memory-classes\" = true } }]\n";
  } else {
    const PublishedMachine& chosen = machineOf(paper_, configuration);
    text += fmt::format("machines = [{{ machine = \"{}\", name = \"{}\", set = {{ {} }} }}]\n", chosen.preset, chosen.name,
                        inlineTable(chosen.settings));
  }
  text += fmt::format("[sweep]\nmax_registers = [{}]\n", registers);
  text += configuration == kClasses ? std::string(kClassColumns)
                                    : std::string(kTimedColumns) + energyColumn(paper_.energy) + "[options]\naddress_bits = 32\n";
  const auto [place, isNew] = tables_.try_emplace(text);
  if (isNew) place->second = run_(text);
  const Table& table = place->second;
  const std::string name = isWide ? kernel.kernel + "32" : kernel.kernel;
  const auto row = std::find_if(table.rows.begin(), table.rows.end(), [&](const Row& each) { return each.kernel == name; });
  if (row == table.rows.end()) return {};
  if (configuration == kClasses) return {.affine = row->values[0], .floats = row->values[1]};
  return {.traffic = row->values[2], .cycles = row->values[3], .energy = row->values[4]};
}

}  // namespace warpwright::lab
