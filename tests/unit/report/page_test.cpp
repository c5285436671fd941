#include "report/page.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/file.hpp"
#include "report/report.hpp"
#include "unit/lab/temporary_file.hpp"

namespace warpwright::report {
namespace {

TEST(ReportPage, NothingInTheDataEndsItsElement) {
  const std::string hostile = R"({"text": "</script><script>alert(1)</script><!-- ]]> &amp;"})";
  const std::string escaped = escapedForScript(hostile);
  EXPECT_EQ(escaped.find_first_of("<>&"), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(escaped), nlohmann::json::parse(hostile));
}

TEST(ReportPage, FillsTitleAndData) {
  EXPECT_EQ(filledPage("<title>{{title}}</title><script>{{data}}</script>", "a < b & {{data}}", R"({"x":"{{title}}"})"),
            R"(<title>a &lt; b &amp; {{data}}</title><script>{"x":"{{title}}"}</script>)");
}

TEST(ReportPage, TheTemplateIsWholeAndTakesData) {
  const std::string_view page = pageTemplate();
  EXPECT_TRUE(page.starts_with("<!doctype html>"));
  EXPECT_TRUE(page.ends_with("</html>\n"));
  const std::string filled = filledPage(page, "x", "[1]");
  EXPECT_NE(filled.find("<script type=\"application/json\" id=\"data\">[1]</script>"), std::string::npos);
  EXPECT_NE(filled.find("<title>x</title>"), std::string::npos);
}

TEST(ReportPage, WritesAllOrNothing) {
  lab::TemporaryFile file;
  std::ofstream(file.path()) << "before";
  writePage(file.path(), "after");
  EXPECT_EQ(readFile(file.path()), "after");
  EXPECT_THROW(writePage("/nowhere/at/all/report.html", "x"), Error);
  EXPECT_THROW(writePage("/tmp", "x"), Error);
}

}  // namespace
}  // namespace warpwright::report
