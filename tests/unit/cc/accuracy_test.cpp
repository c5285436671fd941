#include "unit/cc/accuracy.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace warpwright::cc::test {
namespace {

constexpr int kSamples = 4000;

class Accuracy : public ::testing::TestWithParam<Row> {};

TEST_P(Accuracy, StaysWithinTheDocumentedBound) {
  const Row& row = GetParam();
  const Measured measured = measure(row, kSamples);
  EXPECT_LE(measured.ulpsDouble, row.boundDouble)
      << "double " << row.name << " at " << measured.worstDouble[0] << ", " << measured.worstDouble[1];
  EXPECT_LE(measured.ulpsFloat, row.boundFloat)
      << "float " << row.name << " at " << measured.worstFloat[0] << ", " << measured.worstFloat[1];
}

TEST(AccuracyTable, StatesTheAssertedBounds) {
  std::ostringstream text;
  text << std::ifstream(WARPWRIGHT_SOURCE_DIR "/docs/device-math.md").rdbuf();
  for (const Row& row : accuracyRows()) {
    const size_t line = text.str().find(fmt::format("\n| {} | {} |", row.name, row.boundDouble));
    ASSERT_NE(line, std::string::npos) << row.name;
    const std::string rest = text.str().substr(line + 1, text.str().find('\n', line + 1) - line);
    EXPECT_NE(rest.find(fmt::format("| {} | ", row.boundFloat)), std::string::npos) << row.name;
  }
}

std::string rowName(const ::testing::TestParamInfo<Row>& info) {
  std::string name = info.param.name;
  for (char& c : name) c = c == ' ' ? '_' : c;
  return name;
}

INSTANTIATE_TEST_SUITE_P(Functions, Accuracy, ::testing::ValuesIn(accuracyRows()), rowName);

}  // namespace
}  // namespace warpwright::cc::test
