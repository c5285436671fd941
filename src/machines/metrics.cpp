#include "machines/metrics.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "machines/energy/report.hpp"
#include "machines/estimated_cycles.hpp"
#include "machines/pc_histogram/sums.hpp"
#include "machines/timing_counters.hpp"
#include "mechanisms/mechanism.hpp"
#include "profile/kernel_profile.hpp"
#include "profile/report.hpp"
#include "stats/json.hpp"

namespace warpwright::machines {
namespace {

using stats::Json;

constexpr u32 kAnyWarpSize = 32;

// The JSON of a kernel that did nothing on a machine with every mechanism: its members are those of every kernel.
Json emptyKernel() {
  const profile::KernelProfile kernel("", "", kAnyWarpSize);
  Json result = profile::profileJson({&kernel}, profile::Geometry{})["kernels"][0];
  result["timing"] = {{"counters", stats::toJson(TimingCounters{})},
                      {"figures", figuresJson(TimingCounters{}, config::Machine{})},
                      {"estimate", estimateJson({})},
                      {"sampled", sampledJson({})},
                      {"energy", emptyEnergyJson()},
                      {"pc_histogram", {{"figures", pcFiguresJson(PcSums{})}}}};
  stats::NamedStatistics observed, counted;
  for (const mechanisms::Kind* kind : mechanisms::catalogue()) {
    if (kind->observed != nullptr) merge(observed, kind->observed());
    if (kind->counted != nullptr) merge(counted, kind->counted());
  }
  result["mechanisms"] = stats::toJson(observed);
  result["timing"]["counters"]["gpu"]["mechanisms"] = stats::toJson(counted);
  return result;
}

void addNames(const Json& value, const std::string& path, std::vector<std::string>& names) {
  if (value.is_object()) {
    for (const auto& [name, member] : value.items()) addNames(member, path.empty() ? name : path + "." + name, names);
  } else if (value.is_number() || value.is_null()) {
    names.push_back(path);
  }
}

std::vector<std::string> listNames() {
  std::vector<std::string> names;
  addNames(emptyKernel(), "", names);
  return names;
}

bool isListed(const std::string& name) { return std::find(metricNames().begin(), metricNames().end(), name) != metricNames().end(); }

// "a.b" of "a.b.bins.7"; empty for anything else.
std::string histogramOf(const std::string& name) {
  const std::size_t bins = name.rfind(".bins.");
  return bins == std::string::npos ? std::string() : name.substr(0, bins);
}

// Energies of several kernels add up; their powers and products with a time do not.
bool isEnergy(const std::string& name) {
  return name.starts_with("timing.energy.total.") || name.starts_with("timing.energy.units.") ||
         name.starts_with("timing.energy.events.") || name == "timing.energy.seconds";
}

constexpr std::string_view kTotals[] = {"launches",
                                        "failed",
                                        "nanoseconds",
                                        "blocks",
                                        "blocks_done",
                                        "warps",
                                        "threads",
                                        "derived.warp_instructions",
                                        "derived.thread_instructions"};

}  // namespace

const std::vector<std::string>& metricNames() {
  static const std::vector<std::string> names = listNames();
  return names;
}

bool isBin(const std::string& name) {
  const std::string histogram = histogramOf(name);
  return !histogram.empty() && isListed(histogram + ".count") && isListed(histogram + ".mean");
}

bool isMetric(const std::string& name) { return isListed(name) || isBin(name); }

bool isCounter(const std::string& name) {
  const bool isMean = name.ends_with(".mean") && isListed(name.substr(0, name.size() - 4) + "count");
  if (isMean || name.find(".figures.") != std::string::npos) return false;
  return name.starts_with("counters.") || name.starts_with("timing.counters.") || name.starts_with("mechanisms.") || isEnergy(name) ||
         std::find(std::begin(kTotals), std::end(kTotals), name) != std::end(kTotals);
}

}  // namespace warpwright::machines
