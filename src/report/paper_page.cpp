#include "report/paper_page.hpp"

#include <fmt/format.h>

#include "report/json.hpp"
#include "report/page.hpp"

namespace warpwright::report {
namespace {

Json numberOrNull(const lab::Value& value) { return value ? numberJson(*value) : Json(nullptr); }

Json valueJson(const lab::Item& item, const lab::Compared& compared) {
  const lab::ComparedText text = lab::textOf(item, compared);
  return {{"name", text.name},
          {"unit", compared.value.unit},
          {"published", numberOrNull(compared.value.published)},
          {"ours", numberOrNull(compared.ours)},
          {"relative", numberOrNull(lab::relativeTo(compared))},
          {"texts", {{"published", text.published}, {"ours", text.ours}, {"difference", text.difference}}}};
}

Json itemJson(const lab::ItemComparison& comparison) {
  Json values = Json::array();
  for (const lab::Compared& each : comparison.values) values.push_back(valueJson(comparison.item, each));
  return {{"number", lab::numberOf(comparison.item)}, {"title", lab::titleOf(comparison.item)},
          {"missing", comparison.item.mechanism},     {"values", std::move(values)},
          {"drawings", comparison.drawings},          {"notes", comparison.notes}};
}

}  // namespace

std::string pageOf(const lab::Paper& paper, const std::vector<lab::ItemComparison>& comparisons, const PaperRun& run) {
  Json items = Json::array();
  for (const lab::ItemComparison& comparison : comparisons) items.push_back(itemJson(comparison));
  const Json data = {{"writer", "warpwright reproduce"},
                     {"paper",
                      {{"id", paper.id},
                       {"title", paper.title},
                       {"authors", paper.authors},
                       {"year", paper.year},
                       {"size", run.size},
                       {"planned", run.planned},
                       {"items", std::move(items)}}}};
  return filledPage(pageTemplate(), fmt::format("{}: {}", paper.id, paper.title), data.dump());
}

}  // namespace warpwright::report
