// A PC histogram of the store, made as narrow as the page.
#include "report/pc_histogram_data.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace warpwright::report {
namespace {

Json recorded() {
  return Json::parse(R"({"sm": 0, "interval": 100, "instructions": [{"pc": 3}], "columns": ["from", "block", "pc", "threads"],
    "launches": [{"launch": 1, "rows": [[200, 0, 3, 64], [200, 1, 3, 32], [300, 0, 3, 32], [300, 0, 4, 32], [500, 0, 3, 64]]},
                 {"launch": 2, "rows": [[900, 0, 3, 64]]}]})");
}

TEST(PcHistogramOf, KeepsWhatFits) {
  const Json page = pcHistogramOf(recorded(), 4);
  EXPECT_FALSE(page.contains("interval"));
  EXPECT_EQ(page["instructions"], recorded()["instructions"]);
  EXPECT_EQ(page["launches"][0]["interval"], 100);
  EXPECT_EQ(page["launches"][0]["rows"], recorded()["launches"][0]["rows"]);
}

// Samples 200 and 300, 400 (nobody) and 500, each two made one; the second launch has one sample.
TEST(PcHistogramOf, MakesNeighboursOne) {
  const Json page = pcHistogramOf(recorded(), 2);
  EXPECT_EQ(page["launches"][0]["interval"], 200);
  EXPECT_EQ(page["launches"][0]["rows"].dump(), "[[200,0,3,48],[200,0,4,16],[200,1,3,16],[400,0,3,32]]");
  EXPECT_EQ(page["launches"][1]["interval"], 100);
  EXPECT_EQ(page["launches"][1]["rows"].dump(), "[[900,0,3,64]]");
}

TEST(PcHistogramOf, NamesADamagedOne) {
  Json damaged = recorded();
  damaged["launches"][0]["rows"][1] = Json::array({200, 1});
  EXPECT_THROW(pcHistogramOf(damaged, 4), Error);
}

}  // namespace
}  // namespace warpwright::report
