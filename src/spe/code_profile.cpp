#include "spe/code_profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "spe/statistics_text.hpp"

namespace warpwright::spe {

u64 CodeProfile::Count::allLost() const { return std::accumulate(lost.begin(), lost.end(), u64{0}); }

Stall CodeProfile::Count::mainCause() const { return static_cast<Stall>(std::ranges::max_element(lost) - lost.begin()); }

void CodeProfile::issued(const Issue& issue) {
  const std::size_t word = issue.address / sizeof(u32);
  if (word >= counts_.size()) counts_.resize(word + 1);
  Count& count = counts_[word];
  ++count.times;
  count.lost[static_cast<std::size_t>(issue.cause)] += issue.lost;
}

CodeProfile::Count CodeProfile::at(u32 address) const {
  const std::size_t word = address / sizeof(u32);
  return word < counts_.size() ? counts_[word] : Count{};
}

std::string listingOf(const std::vector<CodeLine>& code, const CodeProfile& profile) {
  std::string text = fmt::format("{:>10} {:>10}  {:<12} {:<5}  {}\n", "times", "lost", "for", "at", "instruction");
  for (const CodeLine& line : code) {
    if (!line.label.empty()) text += fmt::format("{:43}{}:\n", "", line.label);
    const CodeProfile::Count count = profile.at(line.address);
    const u64 lost = count.allLost();
    const std::string_view cause = lost == 0 ? std::string_view() : kStallNames[static_cast<std::size_t>(count.mainCause())];
    text += fmt::format("{:>10} {:>10}  {:<12} {:05x}  {}\n", count.times, lost, cause, line.address, line.text);
  }
  return text;
}

stats::Json jsonOf(const std::vector<CodeLine>& code, const CodeProfile& profile) {
  stats::Json lines = stats::Json::array();
  for (const CodeLine& line : code) {
    const CodeProfile::Count count = profile.at(line.address);
    stats::Json lost = stats::Json::object();
    for (std::size_t stall = 0; stall < kStalls; ++stall)
      if (count.lost[stall] != 0) lost[keyOf(kStallNames[stall])] = count.lost[stall];
    lines.push_back({{"label", line.label}, {"address", line.address}, {"text", line.text}, {"times", count.times}, {"lost", lost}});
  }
  return lines;
}

}  // namespace warpwright::spe
