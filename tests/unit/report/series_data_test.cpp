#include "report/series_data.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.hpp"

namespace warpwright::report {
namespace {

Json cell(const Json& series, std::size_t row, const char* column) {
  const Json& columns = series.at("columns");
  const auto found = std::find(columns.begin(), columns.end(), column);
  return found == columns.end() ? Json(nullptr) : series.at("rows").at(row).at(found - columns.begin());
}

constexpr const char* kCsv =
    "from,until,warp_ipc,cycles,l1d.accesses.global_read,l1d.accesses.atomic,l1d.accessesories,sm.slots.issued,latency.mean,"
    "sm.warp_instructions,sm.cycles,sm.resident_warp_cycles,l1d.hits.global_read,memory.partition.l2.accesses.global_read,"
    "memory.partition.l2.hits.global_read,memory.dram.moved_bytes\n"
    "0,100,0.5,100,3,1,99,50,,0,0,0,0,0,0,0\n"
    "100,200,1.5,100,4,0,99,150,2.5,0,0,0,0,0,0,0\n"
    "200,250,1,50,5,0,99,50,,0,0,0,0,0,0,0\n";

TEST(ReportSeries, SumsTheColumnsOfAGroup) {
  const Json series = seriesOf(kCsv, 1000);
  ASSERT_EQ(series.at("rows").size(), 3U);
  EXPECT_EQ(cell(series, 0, "l1d_accesses"), 4);
  EXPECT_EQ(cell(series, 2, "until"), 250);
  EXPECT_EQ(cell(series, 1, "slots.issued"), 150);
}

TEST(ReportSeries, AddsNeighboursUpWhereThereAreTooMany) {
  const Json series = seriesOf(kCsv, 2);
  ASSERT_EQ(series.at("rows").size(), 2U);
  EXPECT_EQ(cell(series, 0, "from"), 0);
  EXPECT_EQ(cell(series, 0, "until"), 200);
  EXPECT_EQ(cell(series, 0, "cycles"), 200);
  EXPECT_EQ(cell(series, 0, "l1d_accesses"), 8);
  EXPECT_EQ(cell(series, 1, "cycles"), 50);
}

// Another version of the simulator may have called it otherwise: that is no zero.
TEST(ReportSeries, RefusesASeriesThatLacksAColumn) {
  std::string csv = kCsv;
  const std::string column = "memory.dram.moved_bytes";
  csv.replace(csv.find(column), column.size(), "memory.dram.bytes");
  try {
    seriesOf(csv, 10);
    ADD_FAILURE() << "it was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "a time series of the store has no column 'memory.dram.moved_bytes'");
  }
}

TEST(ReportSeries, RefusesWhatIsNoSeries) {
  EXPECT_THROW(seriesOf("", 10), Error);
  EXPECT_THROW(seriesOf("from,until,a\n1,2,3,4\n", 10), Error);
}

}  // namespace
}  // namespace warpwright::report
