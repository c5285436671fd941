// The DRAM of the machines that the project models: GDDR3, GDDR5, GDDR6 and HBM2 with their published timing.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "config/machine.hpp"

namespace warpwright::mem::testing {

struct TimingSet {
  std::string name;
  config::Dram dram;
};

// Of every timed machine in configs/, without repetitions.
inline std::vector<TimingSet> timingSets() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(WARPWRIGHT_SOURCE_DIR "/configs")) {
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::vector<TimingSet> result;
  for (const auto& file : files) {
    const config::Machine machine = config::loadMachine(file.string());
    const auto isKnown = [&](const TimingSet& set) { return set.dram == machine.dram; };
    if (machine.timed && std::none_of(result.begin(), result.end(), isKnown)) result.push_back({file.stem().string(), machine.dram});
  }
  return result;
}

// Each set also with what it leaves open: the other scheduler, closed pages, two ranks, refresh, limits on activations, other distances
// of columns and within a bank group, queues for one request.
inline std::vector<TimingSet> timingSetsWithVariants() {
  std::vector<TimingSet> result;
  for (const TimingSet& set : timingSets()) {
    const auto add = [&](const char* variant, auto change) {
      result.push_back({set.name + variant, set.dram});
      change(result.back().dram);
    };
    const auto refresh = [](config::Dram& d) {
      d.tREFI = 800;
      d.tRFC = 90;
    };
    // A channel has no more banks than kMostBanks.
    const auto setRanks = [](config::Dram& d, u32 ranks) {
      d.ranks = ranks;
      d.banks = std::min(d.banks, config::kMostBanks / ranks);
    };
    add("", [](config::Dram&) {});
    add(" fcfs", [](config::Dram& d) { d.scheduler = "fcfs"; });
    add(" closed", [](config::Dram& d) { d.page = config::PagePolicy::closed; });
    add(" refresh", refresh);
    add(" tightWindow", [](config::Dram& d) { d.tFAW = 5 * d.tRRD; });
    add(" longInGroup", [](config::Dram& d) {
      d.tRRDL = d.tRRD + 3;
      d.tWTRL = d.tWTR + 4;
    });
    add(" twoRanksRefreshClosed", [&](config::Dram& d) {
      setRanks(d, 2);
      d.tRTRS = 2;
      d.page = config::PagePolicy::closed;
      refresh(d);
    });
    add(" fourRanksFcfsWindow", [&](config::Dram& d) {
      setRanks(d, 4);
      d.tRTRS = 5;
      d.tWL = d.tCL;
      d.tRTW = d.tCL + 20;
      d.tFAW = 6 * d.tRRD;
      d.scheduler = "fcfs";
    });
    add(" longColumns", [](config::Dram& d) {
      d.tCCD = d.burstLength / d.dataRate + 1;
      d.tCCDL = d.tCCD + 2;
    });
    add(" bursts", [](config::Dram& d) { d.tCCD = d.tCCDL = 1; });
    add(" smallestQueues", [&](config::Dram& d) {
      d.requestQueue = d.returnQueue = 1;
      refresh(d);
    });
  }
  return result;
}

}  // namespace warpwright::mem::testing
