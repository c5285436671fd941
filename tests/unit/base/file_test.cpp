#include "base/file.hpp"

#include <gtest/gtest.h>

#include <string>

#include "base/error.hpp"

namespace warpwright {
namespace {

TEST(Files, AreReadAsTheyWereWritten) {
  const std::string file = ::testing::TempDir() + "/files-test";
  const std::string text("two\nlines\0", 10);
  writeFile(file, text);
  EXPECT_EQ(readFile(file), text);
}

TEST(Files, ThatCannotBeReadSayWhy) {
  const auto messageOf = [](const std::string& path) {
    try {
      readFile(path);
    } catch (const Error& error) {
      return error.message();
    }
    return std::string();
  };
  EXPECT_NE(messageOf("/nowhere/at/all").find("No such file"), std::string::npos);
  EXPECT_NE(messageOf(::testing::TempDir()).find("it is a folder"), std::string::npos);
}

}  // namespace
}  // namespace warpwright
