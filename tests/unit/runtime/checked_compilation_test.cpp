#include "runtime/checked_compilation.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <iterator>

namespace warpwright::runtime {
namespace {

TEST(CheckedCompilation, AnInternalErrorSaysWhatToReportAndKeepsThePtx) {
  const Error error = explain(compiler::InternalError("in 'k', the compiler's 'NOP' is missing", {"k.ptx", 7, 3}), "the PTX\n");
  EXPECT_EQ(error.where().text(), "k.ptx:7:3");
  EXPECT_EQ(error.message(), "internal error: in 'k', the compiler's 'NOP' is missing");
  EXPECT_NE(error.remedy().find("report"), std::string::npos);
  const std::size_t begin = error.remedy().find('\'') + 1, end = error.remedy().rfind('\'');
  ASSERT_LT(begin, end) << error.remedy();
  const std::string file = error.remedy().substr(begin, end - begin);
  std::ifstream kept(file);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(kept), {}), "the PTX\n") << file;
  std::remove(file.c_str());
}

}  // namespace
}  // namespace warpwright::runtime
