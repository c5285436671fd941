#include "report/paper_page.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace warpwright::report {
namespace {

nlohmann::json dataIn(const std::string& page) {
  const std::string begin = "<script type=\"application/json\" id=\"data\">";
  const std::size_t from = page.find(begin) + begin.size();
  return nlohmann::json::parse(page.substr(from, page.find("</script>", from) - from));
}

TEST(PaperPage, HoldsEveryValueAsNumberAndInWords) {
  lab::Paper paper;
  paper.id = "009";
  paper.title = "Caches <of> sand";
  lab::ItemComparison comparison;
  comparison.item.kind = lab::kSection;
  comparison.item.number = "2.1";
  comparison.item.title = "Sizes";
  comparison.notes = {"a reason"};
  comparison.drawings = "  a map\n";
  lab::Compared number, word;
  number.value.name = "bytes";
  number.value.published = 8;
  number.ours = 10;
  word.value.name = "policy";
  word.value.word = "lru";
  word.words = {"fifo"};
  comparison.values = {number, word};

  const std::string page = pageOf(paper, {comparison}, {.size = "test", .planned = 2});
  EXPECT_NE(page.find("<title>009: Caches &lt;of&gt; sand</title>"), std::string::npos);
  const nlohmann::json data = dataIn(page).at("paper");
  EXPECT_EQ(data.at("planned"), 2);
  const nlohmann::json& item = data.at("items").at(0);
  EXPECT_EQ(item.at("number"), "Section 2.1");
  EXPECT_EQ(item.at("title"), "Section 2.1: Sizes");
  EXPECT_EQ(item.at("drawings"), "  a map\n");
  EXPECT_EQ(item.at("notes"), nlohmann::json::array({"a reason"}));
  const nlohmann::json& first = item.at("values").at(0);
  EXPECT_EQ(first.at("published"), 8);
  EXPECT_EQ(first.at("ours"), 10);
  EXPECT_EQ(first.at("relative"), 1.25);
  EXPECT_EQ(first.at("texts").at("difference"), "+2 (+25 %)");
  const nlohmann::json& second = item.at("values").at(1);
  EXPECT_TRUE(second.at("published").is_null() && second.at("ours").is_null() && second.at("relative").is_null());
  EXPECT_EQ(second.at("texts").at("difference"), "differs");
}

}  // namespace
}  // namespace warpwright::report
