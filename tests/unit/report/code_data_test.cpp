#include "report/code_data.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace warpwright::report {
namespace {

Json line(u32 address, Json lost) { return {{"address", address}, {"text", "nop"}, {"times", 1}, {"lost", std::move(lost)}}; }

std::vector<u32> addressesOf(const Json& code) {
  std::vector<u32> addresses;
  for (const Json& each : code.at("lines")) addresses.push_back(each.at("address"));
  return addresses;
}

const Json kCode = {line(0, Json::object()), line(4, {{"dependence", 2}, {"branch", 5}}), line(8, {{"dependence", 6}}),
                    line(12, {{"branch", 1}}), line(16, {{"branch", 7}})};

TEST(CodeData, ShortCodeIsWhole) {
  const Json shown = codeOf(kCode, 5);
  EXPECT_EQ(shown.at("instructions"), 5);
  EXPECT_EQ(shown.at("lines"), kCode);
}

TEST(CodeData, OfLongCodeThoseThatLostMostInTheirOrder) {
  const Json shown = codeOf(kCode, 3);
  EXPECT_EQ(shown.at("instructions"), 5);
  EXPECT_EQ(addressesOf(shown), (std::vector<u32>{4, 8, 16}));
}

TEST(CodeData, OfEqualOnesTheFirst) {
  const Json equal = {line(0, {{"branch", 1}}), line(4, {{"branch", 1}}), line(8, {{"branch", 1}})};
  EXPECT_EQ(addressesOf(codeOf(equal, 2)), (std::vector<u32>{0, 4}));
}

TEST(CodeData, ADamagedStoreIsAnError) { EXPECT_THROW(codeOf(Json{{{"address", 0}}}, 1), Error); }

}  // namespace
}  // namespace warpwright::report
