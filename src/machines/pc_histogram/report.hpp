// The PC histograms of a kernel's launches, for the timing report.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "machines/pc_histogram/histogram.hpp"
#include "machines/pc_histogram/settings.hpp"
#include "profile/kernel_profile.hpp"
#include "profile/text_page.hpp"

namespace warpwright::machines {

// Of an instruction that threads stand at, as modules may be gone when the report is written.
struct PcInstruction {
  u32 ptxLine = 0;  // in the module's PTX
  profile::SourceLine source;
  std::string text;  // disassembled
  WarpPairs pairs;   // of one block, of which the first stands there
};

struct KernelPcHistogram {
  struct Launch {
    u64 number = 0;  // LaunchTiming::number
    std::vector<PcCount> counts;
  };

  PcHistogramSettings settings;
  PcSums sums;  // of all launches
  bool isComplete = true;
  std::map<Pc, PcInstruction> instructions;  // by index into the program's code
  std::vector<Launch> launches;              // of which there is a sample

  void add(u64 launch, PcHistogram histogram, const isa::Program& program);
};

// docs/pc-histogram.md has its shape.
stats::Json pcHistogramJson(const KernelPcHistogram& histogram);
void appendPcHistogram(profile::TextPage& page, const KernelPcHistogram& histogram);

}  // namespace warpwright::machines
