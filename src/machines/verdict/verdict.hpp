// What limits a timed kernel: where its issue slots went and why, the evidence, the lines, and what would help. docs/verdict.md gives the
// rules.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "machines/timing_profile.hpp"
#include "profile/text_page.hpp"

namespace warpwright::machines {

struct Limit {
  std::string_view rule;                   // "memory_latency", …
  double share = 0;                        // of all issue slots of the launches, 0 to 1, that it took
  std::string evidence, remedy;            // sentences
  std::vector<std::string_view> whatIfs;   // names of machines without it (what_if.hpp); empty: no key takes it away
  std::vector<profile::SourceLine> where;  // lines with most of it; empty: it is of no line, or lines were not kept
};

// Largest first: no more than kMostLimits, each of kLeastShare or more.
inline constexpr std::size_t kMostLimits = 5;
inline constexpr double kLeastShare = 0.03;
// profile: of the same kernel; null: there is none.
std::vector<Limit> limitsOf(const KernelTiming& kernel, const profile::KernelProfile* profile, const config::Machine& machine);

// As a part of a report.
void appendLimits(profile::TextPage& page, const std::vector<Limit>& limits);
stats::Json limitsJson(const std::vector<Limit>& limits);

}  // namespace warpwright::machines
