// The DRAM of the machines that the project models: GDDR3, GDDR5, GDDR6 and HBM2 with their published timing.
#pragma once

#include <string>
#include <vector>

#include "config/dram.hpp"

namespace warpwright::mem::testing {

struct TimingSet {
  std::string name;
  config::Dram dram;
};

// GPGPU-Sim's tested configurations (GTX480, QuadroFX5800, QV100, RTX3070); Vijaykumar et al., "A Case for Core-Assisted Bottleneck
// Acceleration in GPUs", Table 1 (caba); Gou, "Customizable Memory Schemes for Data Parallel Accelerators", Table 6.2 (granularity).
inline std::vector<TimingSet> timingSets() {
  using config::DramKind;
  config::Dram gtx480;  // config::Dram's defaults
  gtx480.tRTP = 2;

  config::Dram caba = gtx480;
  caba.tRRD = 6;
  caba.tWTR = 5;

  config::Dram quadro = gtx480;
  quadro.kind = DramKind::gddr3;
  quadro.channels = 8;
  quadro.dataRate = 2;
  quadro.burstLength = 4;
  quadro.bankGroups = 1;
  quadro.banks = 8;
  quadro.tCCD = quadro.tCCDL = 2;
  quadro.tRRD = 8;
  quadro.tRCD = 12;
  quadro.tRAS = 25;
  quadro.tRP = 10;
  quadro.tRC = 35;
  quadro.tCL = 10;
  quadro.tWL = 7;
  quadro.tWTR = 6;
  quadro.tWR = 11;

  config::Dram granularity = quadro;
  granularity.channels = 4;
  granularity.tCL = 12;
  granularity.tRP = 12;
  granularity.tRC = 41;
  granularity.tRAS = 29;
  granularity.tRCD = 14;
  granularity.tRRD = 10;

  config::Dram v100 = gtx480;
  v100.kind = DramKind::hbm2;
  v100.channels = 32;
  v100.busBytes = 16;
  v100.dataRate = 2;
  v100.burstLength = 2;
  v100.tCCD = 1;
  v100.tCCDL = 2;
  v100.tRTP = 3;
  v100.tRRD = 3;
  v100.tWL = 2;
  v100.tWTR = 3;
  v100.tWR = 10;

  config::Dram rtx3070 = gtx480;
  rtx3070.kind = DramKind::gddr6;
  rtx3070.channels = 16;
  rtx3070.busBytes = 2;
  rtx3070.dataRate = 4;
  rtx3070.burstLength = 16;
  rtx3070.tCCD = 4;
  rtx3070.tCCDL = 6;
  rtx3070.tRRD = 12;
  rtx3070.tRCD = 24;
  rtx3070.tRAS = 55;
  rtx3070.tRP = 24;
  rtx3070.tRC = 78;
  rtx3070.tCL = 24;
  rtx3070.tWL = 8;
  rtx3070.tWTR = 10;
  rtx3070.tWR = 24;
  rtx3070.tRTP = 4;

  return {{"gtx480", gtx480}, {"caba", caba}, {"quadro", quadro}, {"granularity", granularity}, {"v100", v100}, {"rtx3070", rtx3070}};
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
    add("", [](config::Dram&) {});
    add(" fcfs", [](config::Dram& d) { d.scheduler = config::DramScheduler::fcfs; });
    add(" closed", [](config::Dram& d) { d.page = config::PagePolicy::closed; });
    add(" refresh", refresh);
    add(" tightWindow", [](config::Dram& d) { d.tFAW = 5 * d.tRRD; });
    add(" longInGroup", [](config::Dram& d) {
      d.tRRDL = d.tRRD + 3;
      d.tWTRL = d.tWTR + 4;
    });
    add(" twoRanksRefreshClosed", [&](config::Dram& d) {
      d.ranks = 2;
      d.tRTRS = 2;
      d.page = config::PagePolicy::closed;
      refresh(d);
    });
    add(" fourRanksFcfsWindow", [](config::Dram& d) {
      d.ranks = 4;
      d.tRTRS = 5;
      d.tWL = d.tCL;
      d.tRTW = d.tCL + 20;
      d.tFAW = 6 * d.tRRD;
      d.scheduler = config::DramScheduler::fcfs;
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
