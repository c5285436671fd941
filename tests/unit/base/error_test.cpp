#include "base/error.hpp"

#include <gtest/gtest.h>

namespace warpwright {
namespace {

TEST(SourcePosition, LeavesOutWhatIsUnknown) {
  EXPECT_EQ((SourcePosition{"a.ptx", 3, 7}.text()), "a.ptx:3:7");
  EXPECT_EQ((SourcePosition{"a.ptx", 3, 0}.text()), "a.ptx:3");
  EXPECT_EQ((SourcePosition{"a.ptx", 0, 7}.text()), "a.ptx");
  EXPECT_EQ((SourcePosition{"", 3, 7}.text()), "3:7");
  EXPECT_EQ(SourcePosition{}.text(), "");
}

TEST(Error, SaysWhereWhatAndHowToRepair) {
  const Error error("unknown opcode", {"a.ptx", 3, 7}, "use add");
  EXPECT_STREQ(error.what(), "a.ptx:3:7: error: unknown opcode\n  remedy: use add");
  EXPECT_EQ(error.message(), "unknown opcode");
  EXPECT_EQ(error.remedy(), "use add");
}

TEST(Error, NeedsNeitherPositionNorRemedy) { EXPECT_STREQ(Error("no memory").what(), "error: no memory"); }

}  // namespace
}  // namespace warpwright
