#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "base/demangle.hpp"
#include "cli/patterns/survey.hpp"
#include "compiler/patterns/pattern_text.hpp"

namespace warpwright::cli {
namespace {

// Of many launches, the first: "1-3, 7, …".
constexpr std::size_t kMostRuns = 6;

std::string numbersText(const std::vector<u64>& numbers) {
  std::vector<std::string> runs;
  for (std::size_t i = 0; i < numbers.size() && runs.size() <= kMostRuns;) {
    std::size_t end = i + 1;
    while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1) ++end;
    runs.push_back(end - i == 1 ? fmt::format("{}", numbers[i]) : fmt::format("{}-{}", numbers[i], numbers[end - 1]));
    i = end;
  }
  if (runs.size() > kMostRuns) runs.back() = "…";
  return fmt::format("{}", fmt::join(runs, ", "));
}

std::string extentText(Dim3 extent) {
  if (extent.z != 1) return fmt::format("{} x {} x {}", extent.x, extent.y, extent.z);
  return extent.y != 1 ? fmt::format("{} x {}", extent.x, extent.y) : fmt::format("{}", extent.x);
}

std::string launchText(const LaunchedAccess& launched, bool isLoad) {
  const std::string where = fmt::format("    {} {}, {} blocks of {}: ", launched.launches.size() == 1 ? "launch" : "launches",
                                        numbersText(launched.launches), extentText(launched.shape.grid), extentText(launched.shape.block));
  const std::string sizes = isLoad ? fmt::format("; {} B literal, {} B relaxed", launched.literal, launched.relaxed) : "";
  return where + (launched.pattern.isKnown() ? "" : "analysis fails: ") + compiler::textOf(launched.pattern) + sizes + "\n";
}

std::string accessText(const SurveyedAccess& access) {
  const std::string position = access.line == 0 ? std::string("no source line")
                                                : fmt::format("{}:{}", std::filesystem::path(access.file).filename().string(), access.line);
  std::string text = fmt::format("  {}  {} of {} B: {}\n", position, access.isLoad ? "load" : "store", access.bytes,
                                 access.reason.empty() ? access.text : "analysis fails: " + access.reason);
  if (!access.reason.empty()) return text;
  for (const LaunchedAccess& launched : access.launched) text += launchText(launched, access.isLoad);
  return text;
}

std::string sizesText(const std::vector<std::pair<u32, u64>>& sizes) {
  std::vector<std::string> parts;
  for (const auto& [bytes, loads] : sizes) parts.push_back(fmt::format("{} of {} B", loads, bytes));
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace

std::string surveyText(const PatternSurvey& survey, const std::string& wanted) {
  std::string text;
  for (const SurveyedKernel& kernel : survey.kernels()) {
    const std::string name = demangled(kernel.name);
    if (!wanted.empty() && wanted != kernel.name && wanted != name && wanted != nameIn(name)) continue;
    text += fmt::format("kernel {}: {} {}\n", name, kernel.launches, kernel.launches == 1 ? "launch" : "launches");
    for (const SurveyedAccess& access : kernel.accesses) text += accessText(access);
    text += "\n";
  }
  const SurveyTotals totals = survey.totals();
  if (!wanted.empty() || totals.loads == 0) return text;
  return text + fmt::format("{} loads, by the first launch of their kernels; the analysis of {} fails\n  literal: {}\n  relaxed: {}\n",
                            totals.loads, totals.failed, sizesText(totals.literal), sizesText(totals.relaxed));
}

}  // namespace warpwright::cli
