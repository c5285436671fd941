#include "unit/cc/accuracy.hpp"

#include <gtest/gtest.h>

namespace warpwright::cc::test {
namespace {

constexpr int kSamples = 4000;

class Accuracy : public testing::TestWithParam<Row> {};

TEST_P(Accuracy, StaysWithinTheDocumentedBound) {
  const Row& row = GetParam();
  const Measured measured = measure(row, kSamples);
  EXPECT_LE(measured.ulpsDouble, row.boundDouble)
      << "double " << row.name << " at " << measured.worstDouble[0] << ", " << measured.worstDouble[1];
  EXPECT_LE(measured.ulpsFloat, row.boundFloat)
      << "float " << row.name << " at " << measured.worstFloat[0] << ", " << measured.worstFloat[1];
}

std::string rowName(const testing::TestParamInfo<Row>& info) {
  std::string name = info.param.name;
  for (char& c : name) c = c == ' ' ? '_' : c;
  return name;
}

INSTANTIATE_TEST_SUITE_P(Functions, Accuracy, testing::ValuesIn(accuracyRows()), rowName);

}  // namespace
}  // namespace warpwright::cc::test
