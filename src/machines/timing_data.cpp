// The timing as JSON and CSV.
#include <fmt/format.h>

#include <algorithm>

#include "base/demangle.hpp"
#include "machines/energy/lines.hpp"
#include "machines/energy/report.hpp"
#include "machines/estimated_cycles.hpp"
#include "machines/timing_profile.hpp"
#include "machines/verdict/roofline.hpp"
#include "machines/verdict/verdict.hpp"
#include "profile/profile.hpp"
#include "stats/json.hpp"

namespace warpwright::machines {
namespace {

using stats::Json;

Json triple(const Dim3& size) { return Json::array({size.x, size.y, size.z}); }

std::string sizeText(const Dim3& size) { return fmt::format("{}x{}x{}", size.x, size.y, size.z); }

Json launchJson(const LaunchTiming& launch, const config::Machine& machine, const EnergyModel* energy) {
  Json result = {{"launch", launch.number},
                 {"grid", triple(launch.shape.grid)},
                 {"block", triple(launch.shape.block)},
                 {"begin", launch.began},
                 {"end", launch.began + launch.counters.gpu.cycles},
                 {"counters", stats::toJson(launch.counters)},
                 {"figures", figuresJson(launch.counters, machine)},
                 {"estimate", estimateJson(launch.estimate)}};
  if (launch.resources.hasAdded())
    result["added_by_mechanisms"] = {{"registers_per_thread", launch.resources.addedRegisters},
                                     {"shared_bytes_per_block", launch.resources.addedSharedBytes},
                                     {"resident_blocks", launch.residentBlocks},
                                     {"resident_blocks_without", launch.resources.residentBlocksWithout}};
  if (energy != nullptr) result["energy"] = energyJson(*energy, launch.counters, EnergyDetail::units);
  return result;
}

Json computedJson(const ComputedLaunch& launch) {
  return {{"launch", launch.number},
          {"grid", triple(launch.shape.grid)},
          {"block", triple(launch.shape.block)},
          {"estimate", estimateJson(launch.estimate)}};
}

// With the energies of the lines, each line's under it, and what is of no line.
void addLineEnergies(Json& result, const KernelTiming& kernel, const EnergyModel& model) {
  const LineEnergies energies = energyOfLines(model, kernel);
  std::size_t index = 0;
  for (const auto& [where, account] : energies.lines) result["lines"][index++]["energy"] = partJson(account);
  result["other_energy"] = partJson(energies.rest);
}

Json lineJson(const profile::SourceLine& where, const LineTiming& line) {
  return {{"file", where.line == 0 ? Json(nullptr) : Json(where.file)},
          {"line", where.line == 0 ? Json(nullptr) : Json(where.line)},
          {"warp_instructions", line.warpInstructions},
          {"lost_slots", toJson(line.stalls)},
          {"traffic", stats::toJson(line.traffic)}};
}

Json kernelJson(const KernelTiming& kernel, const config::Machine& machine, const EnergyModel* energy, const std::string& hash) {
  Json result = {{"machine", machine.name},
                 {"machine_hash", hash},
                 {"counters", stats::toJson(kernel.counters)},
                 {"figures", figuresJson(kernel.counters, machine)},
                 {"units", toJson(kernel.units)},
                 {"roofline", rooflineJson(rooflineOf(kernel.counters, machine))},
                 {"estimate", estimateJson(kernel.estimate)},
                 {"violations", kernel.violations},
                 {"launches", Json::array()},
                 {"lines", Json::array()},
                 {"other_traffic", stats::toJson(kernel.otherTraffic)}};
  for (const LaunchTiming& launch : kernel.launches) result["launches"].push_back(launchJson(launch, machine, energy));
  if (kernel.sampled) {
    result["sampled"] = sampledJson(*kernel.sampled);
    result["computed_launches"] = Json::array();
    for (const ComputedLaunch& launch : kernel.computed) result["computed_launches"].push_back(computedJson(launch));
  }
  for (const auto& [where, line] : kernel.lines) result["lines"].push_back(lineJson(where, line));
  if (energy != nullptr) result["energy"] = energyJson(*energy, kernel.counters, EnergyDetail::events);
  if (energy != nullptr && !kernel.lines.empty()) addLineEnergies(result, kernel, *energy);
  if (kernel.pcHistogram) result["pc_histogram"] = pcHistogramJson(*kernel.pcHistogram);
  return result;
}

// Histograms list only the bins in use: a row keeps their count, sum and mean, so that all rows have the same columns.
void dropBins(Json& object) {
  if (!object.is_object()) return;
  object.erase("bins");
  for (auto& [name, member] : object.items()) dropBins(member);
}

Json rowOf(const KernelTiming& kernel, const LaunchTiming& launch, const config::Machine& machine, const EnergyModel* energy) {
  Json row = {{"machine", machine.name},
              {"launch", launch.number},
              {"kernel", kernel.name},
              {"signature", demangled(kernel.name)},
              {"module", kernel.module},
              {"grid", sizeText(launch.shape.grid)},
              {"block", sizeText(launch.shape.block)}};
  row.update(figuresJson(launch.counters, machine));
  if (energy != nullptr) row["energy"] = energyJson(*energy, launch.counters, EnergyDetail::units);
  row.update(stats::toJson(launch.counters));
  row["estimated_cycles_low"] = estimateJson(launch.estimate)["low"];
  row["estimated_cycles_high"] = estimateJson(launch.estimate)["high"];
  dropBins(row);
  return row;
}

}  // namespace

void TimingProfile::addTo(Json& data, const profile::Profile& profile) const {
  if (sampled_) data["sampled"] = sampledJson(*sampled_);
  const std::vector<const profile::KernelProfile*> profiles = profile.kernels();
  for (Json& each : data["kernels"]) {
    const auto name = each["name"].get<std::string>(), module = each["module"].get<std::string>();
    const KernelTiming* timing = find(name, module);
    if (timing == nullptr) continue;
    const auto own = std::ranges::find_if(profiles, [&](const auto* other) { return other->name() == name && other->module() == module; });
    each["timing"] = kernelJson(*timing, machine_, energy_.get(), hash_);
    each["timing"]["limits"] = limitsJson(limitsOf(*timing, own == profiles.end() ? nullptr : *own, machine_));
  }
}

std::string TimingProfile::csv() const {
  struct Row {
    const KernelTiming* kernel;
    const LaunchTiming* launch;
  };
  std::vector<Row> rows;
  for (const auto& kernel : kernels_)
    for (const LaunchTiming& launch : kernel->launches) rows.push_back({kernel.get(), &launch});
  std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.launch->number < b.launch->number; });
  // All rows have the columns of the machine's mechanisms, also those of launches that never began.
  LaunchTiming nothing;
  nothing.counters.gpu.mechanisms = mechanisms::uncounted(machine_);
  std::string text = stats::csvHeader(rowOf({}, nothing, machine_, energy_.get()));
  for (const Row& row : rows) {
    LaunchTiming launch = *row.launch;
    merge(launch.counters.gpu.mechanisms, nothing.counters.gpu.mechanisms);
    text += stats::csvRow(rowOf(*row.kernel, launch, machine_, energy_.get()));
  }
  return text;
}

}  // namespace warpwright::machines
