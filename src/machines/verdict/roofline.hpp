// The roofline of a kernel (Williams, Waterman, Patterson, "Roofline: An Insightful Visual Performance Model for Multicore Architectures",
// 2009): how fast it computes beside what pipes, or DRAM at the kernel's operations a byte, would let it.
#pragma once

#include <string_view>
#include <vector>

#include "machines/timing_profile.hpp"
#include "profile/text_page.hpp"

namespace warpwright::machines {

struct Roof {
  std::string_view precision;  // "single" or "double"
  u64 operations = 0;          // of lanes: an addition, a multiplication, or both at once count one
  double perByte = 0;          // operations a byte moved in DRAM; 0: none was moved
  double rate = 0;             // operations a nanosecond (GOP/s)
  double pipes = 0, dram = 0;  // what the pipes, and DRAM at that many a byte, would let it do; dram 0: no bound

  bool isBoundByDram() const { return dram != 0 && dram < pipes; }
  double roof() const { return isBoundByDram() ? dram : pipes; }
};

// Of the precisions in which the kernel computes.
std::vector<Roof> rooflineOf(const TimingCounters& counters, const config::Machine& machine);

void appendRoofline(profile::TextPage& page, const std::vector<Roof>& roofs);
stats::Json rooflineJson(const std::vector<Roof>& roofs);

}  // namespace warpwright::machines
