#include "runtime/report_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/demangle.hpp"
#include "machines/estimated_cycles.hpp"
#include "machines/verdict/verdict.hpp"
#include "profile/report.hpp"
#include "profile/text_page.hpp"
#include "profile/units.hpp"

namespace warpwright::runtime {
namespace {

struct Part {
  const profile::KernelProfile* profile = nullptr;
  const machines::KernelTiming* timing = nullptr;  // null: none of its launches was timed

  std::string name() const { return demangled(profile->name()); }
  u64 cycles() const { return timing == nullptr ? 0 : timing->counters.estimatedCycles; }
  u64 instructions() const { return profile->counters().warpInstructions.total(); }
};

std::vector<Part> partsOf(const profile::Profile& profile, const machines::TimingProfile& timing) {
  std::vector<Part> parts;
  for (const profile::KernelProfile* each : profile.kernels()) parts.push_back({each, timing.find(each->name(), each->module())});
  std::ranges::stable_sort(parts, std::greater{}, &Part::cycles);
  return parts;
}

// Of kernels without timing: how many warp instructions they executed.
void instructionsSummary(profile::TextPage& page, const std::vector<Part>& parts) {
  u64 all = 0;
  for (const Part& part : parts) all += part.instructions();
  page.row("  {:>8}{:>10}{:>16}   {}", "share", "launches", "warp instr.", "kernel");
  for (const Part& part : parts)
    page.row("  {:>8}{:>10}{:>16}   {}", profile::percentText(stats::ratio(part.instructions(), all)),
             profile::countText(part.profile->totals().launches), profile::countText(part.instructions()),
             profile::clipped(part.name(), page.width() - 39));
}

void timeSummary(profile::TextPage& page, const std::vector<Part>& parts, const machines::TimingProfile& timing) {
  u64 all = 0;
  for (const Part& part : parts) all += part.cycles();
  page.row("  {:>8}{:>10}{:>14}  {:<18} {}", "share", "launches", "core cycles", "limited by", "kernel");
  for (const Part& part : parts) {
    std::string limit = "-";
    if (part.timing != nullptr) {
      const auto limits = machines::limitsOf(*part.timing, part.profile, timing.machine());
      if (!limits.empty()) limit = limits.front().rule;
    }
    page.row("  {:>8}{:>10}{:>14}  {:<18} {}", profile::percentText(stats::ratio(part.cycles(), all)),
             profile::countText(part.profile->totals().launches), part.timing == nullptr ? "-" : profile::countText(part.cycles()), limit,
             profile::clipped(part.name(), page.width() - 56));
  }
}

void summary(profile::TextPage& page, const std::vector<Part>& parts, const machines::TimingProfile& timing) {
  page.title(fmt::format("{} kernels", parts.size()));
  if (timing.empty()) {
    instructionsSummary(page, parts);
  } else {
    timeSummary(page, parts, timing);
  }
  if (const sampling::Sampled* const sampled = timing.sampled()) {
    page.row("  ESTIMATED: {} core cycles in all, with 95 % confidence", machines::estimateText(sampled->cycles));
    machines::appendSampled(page, *sampled);
  }
  page.row("");
}

std::string none(const std::string& kernel, const std::vector<Part>& parts) {
  std::string names;
  for (const Part& part : parts) names += (names.empty() ? "" : ", ") + part.name();
  return fmt::format("warpwright: no kernel has '{}' in its name; there are: {}\n", kernel, names);
}

}  // namespace

std::string reportText(const profile::Profile& profile, const machines::TimingProfile& timing, const std::string& kernel,
                       profile::ReportOptions options) {
  options.timed = !timing.empty();
  const std::vector<Part> parts = partsOf(profile, timing);
  profile::TextPage page(options);
  if (parts.size() > 1) summary(page, parts, timing);
  std::string text = page.take();
  bool any = false;
  for (const Part& part : parts) {
    if (!kernel.empty() && part.name().find(kernel) == std::string::npos) continue;
    any = true;
    options.estimated = part.timing != nullptr && !part.timing->estimate.isExact();
    text += profile::kernelText(*part.profile, options) + '\n';
    if (part.timing != nullptr) text += timing.text(*part.timing, part.profile, options) + '\n';
  }
  return any || kernel.empty() ? text : text + none(kernel, parts);
}

}  // namespace warpwright::runtime
