#include "report/kernel_data.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace warpwright::report {
namespace {

TEST(ReportMetrics, NamesNumbersByTheirPathsAndLeavesOutWhatIsZeroEverywhere) {
  MetricTable metrics;
  metrics.addRow(Json::parse(R"({"name": "k", "a": 0, "b": {"c": 2, "h": {"count": 1, "bins": {"1": 1}}}, "none": null})"));
  metrics.addRow(Json::parse(R"({"a": 0, "late": 0.5})"));
  EXPECT_EQ(metrics.namesJson(), Json::parse(R"(["b.c", "b.h.count", "late"])"));
  EXPECT_EQ(metrics.zeroNamesJson(), Json::parse(R"(["a"])"));
  EXPECT_EQ(metrics.rowJson(0), Json::parse("[2, 1, null]"));
  EXPECT_EQ(metrics.rowJson(1), Json::parse("[null, null, 0.5]"));
}

Json row(const Json& lines, std::size_t index, const char* column) {
  for (std::size_t i = 0; i < std::size(kLineColumns); ++i)
    if (std::string(kLineColumns[i]) == column) return lines.at(index).at(i);
  return nullptr;
}

TEST(ReportLines, JoinsCountsAndLostSlotsOfALine) {
  const Json lists = Json::parse(R"({
    "lines": [
      {"file": "b.cu", "line": 7, "requests_per_sector": 1.5, "derived": {"warp_instructions": 10, "simd_efficiency": 0.5},
       "counters": {"global": {"loads": {"requests": 2, "sectors": 6, "bytes_used": 96}},
                    "local": {"stores": {"requests": 1, "sectors": 3, "bytes_used": 48}},
                    "shared": {"loads": {"phases": 4, "passes": 6}}}},
      {"file": null, "line": null, "requests_per_sector": null, "derived": {"warp_instructions": 3}, "counters": {}}],
    "timing_lines": [
      {"file": "b.cu", "line": 7, "warp_instructions": 10, "lost_slots": {"barrier": 1, "fetch": 2}},
      {"file": "b.cu", "line": 9, "warp_instructions": 0, "lost_slots": {"barrier": 0, "fetch": 5}}]})");
  std::vector<std::string> files = {"a.cu"};
  const Json lines = linesOf(lists, {"fetch", "barrier"}, files);
  EXPECT_EQ(files, (std::vector<std::string>{"a.cu", "b.cu"}));
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(row(lines, 0, "line"), nullptr);
  EXPECT_EQ(row(lines, 1, "file"), 1);
  EXPECT_EQ(row(lines, 1, "warp_instructions"), 10);
  EXPECT_EQ(row(lines, 1, "simd_efficiency"), 0.5);
  EXPECT_EQ(row(lines, 1, "sectors_per_request"), 3);
  EXPECT_EQ(row(lines, 1, "sector_efficiency"), 0.5);
  EXPECT_EQ(row(lines, 1, "conflict_degree"), 1.5);
  EXPECT_EQ(row(lines, 1, "lost_slots"), Json::parse("[2, 1]"));
  EXPECT_EQ(row(lines, 2, "line"), 9);
  EXPECT_EQ(row(lines, 2, "lost_slots"), Json::parse("[5, 0]"));
}

TEST(ReportLaunches, NeedTheirCounters) {
  const Json good = Json::parse(
      R"({"timing_launches": [{"launch": 1, "grid": [1, 1, 1], "counters": {"cycles": 5, "gpu": {"sm": {"warp_instructions": 0}}}}]})");
  EXPECT_EQ(launchesOf(good), Json::parse("[[1, [1, 1, 1], 5, 0]]"));
  Json lacking = good;
  lacking["timing_launches"][0]["counters"]["gpu"]["sm"].erase("warp_instructions");
  try {
    launchesOf(lacking);
    ADD_FAILURE() << "it was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "the store has no counter 'counters/gpu/sm/warp_instructions' where a report needs it");
  }
}

}  // namespace
}  // namespace warpwright::report
