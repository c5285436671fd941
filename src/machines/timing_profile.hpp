// The timing report: where the cycles of each kernel went, per kernel, launch and source line. Collected launch by launch, beside
// profile::Profile, whose kernels and lines it follows.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "machines/energy/model.hpp"
#include "machines/gpu.hpp"
#include "machines/line_timing.hpp"
#include "machines/pc_histogram/report.hpp"
#include "machines/timing_counters.hpp"
#include "profile/kernel_profile.hpp"
#include "sampling/groups.hpp"
#include "stats/json_type.hpp"

namespace warpwright::machines {

struct LaunchTiming {
  u64 number = 0;  // of all launches since time began, from 1
  exec::LaunchShape shape;
  BlockResources resources;  // of a block
  u32 residentBlocks = 0;    // that an SM can hold
  TimingCounters counters;
  u64 began = 0;             // core cycles since the machine's first launch: the clock of its time series
  stats::Estimate estimate;  // of its cycles with all blocks
};

// A launch that was executed and not timed.
struct ComputedLaunch {
  u64 number = 0;
  exec::LaunchShape shape;
  stats::Estimate estimate;  // when it ended; what was timed later is in that of the kernel
};

struct KernelTiming {
  std::string name, module;  // as profile::KernelProfile has them
  TimingCounters counters;   // of all launches
  UnitLoads units;           // the same
  std::vector<LaunchTiming> launches;
  stats::Estimate estimate;                  // of the cycles of all launches, with all blocks
  std::optional<sampling::Sampled> sampled;  // where launches are
  std::vector<ComputedLaunch> computed;
  std::map<profile::SourceLine, LineTiming> lines;  // empty without TimingOptions::lines
  mem::Traffic otherTraffic;                        // of the memory system in the course of the launches, but of no line
  energy::Account energy;                           // of the launches, where it is accounted
  std::vector<std::string> violations;
  std::optional<KernelPcHistogram> pcHistogram;  // where one is kept
};

class TimingProfile {
 public:
  // energy: of the same machine; null: none is accounted.
  explicit TimingProfile(const config::Machine& machine, std::shared_ptr<const EnergyModel> energy = {});

  // use: what the profile counted of the launch.
  void add(const exec::LaunchRequest& request, const BlockResources& resources, const TimedResult& result, const profile::Counters& use);
  // A launch that was not timed.
  void addComputed(const exec::LaunchRequest& request, const stats::Estimate& cycles);
  // What is known of all launches: of the kernel of this one, and of the program.
  void setSampled(const exec::LaunchRequest& request, const sampling::Sampled& kernel, const sampling::Sampled& all);
  // What was recorded of the launch that was added last.
  void addPcs(const exec::LaunchRequest& request, const PcHistogramSettings& settings, PcHistogram histogram);

  bool empty() const { return kernels_.empty(); }
  const config::Machine& machine() const { return machine_; }
  const std::vector<std::unique_ptr<KernelTiming>>& kernels() const { return kernels_; }

  // Null: no launch of it was timed.
  const KernelTiming* find(std::string_view name, std::string_view module) const;
  // Of all kernels; null: launches are not sampled.
  const sampling::Sampled* sampled() const { return sampled_ ? &*sampled_ : nullptr; }
  // The tables of a kernel. profile: of the same kernel; null: none is at hand.
  std::string text(const KernelTiming& kernel, const profile::KernelProfile* profile, const profile::ReportOptions& options) const;
  // Adds an object "timing" to each kernel of a profile's JSON.
  void addTo(stats::Json& data, const profile::Profile& profile) const;
  // One row a launch, in their order, below a row of names.
  std::string csv() const;

 private:
  void checkEnergy(KernelTiming& kernel, const LaunchTiming& launch) const;
  KernelTiming& kernel(const exec::LaunchRequest& request);

  config::Machine machine_;
  std::shared_ptr<const EnergyModel> energy_;
  std::string hash_;  // of the machine; taken early, as reports may be written while the program's statics are being destroyed
  u64 launches_ = 0;
  std::optional<sampling::Sampled> sampled_;
  std::vector<std::unique_ptr<KernelTiming>> kernels_;  // in the order of their first launch
};

// docs/timing.md: every number's definition and unit.
std::string timingReference();

}  // namespace warpwright::machines
