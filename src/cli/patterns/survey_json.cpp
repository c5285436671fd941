#include "base/demangle.hpp"
#include "cli/patterns/survey.hpp"
#include "compiler/patterns/pattern_text.hpp"

namespace warpwright::cli {
namespace {

using Json = nlohmann::json;

Json extent(Dim3 of) { return {of.x, of.y, of.z}; }

Json patternJson(const compiler::LaunchPattern& pattern) {
  if (!pattern.isKnown()) return {{"failure", compiler::textOf(pattern.failure)}};
  const compiler::IndexSum& y = pattern.y;
  Json json{{"skeleton", pattern.isSkewed() ? 2 : 1}, {"a", y.a}, {"b", y.b}, {"c", y.c}, {"d", y.d}, {"e", y.e}, {"f", y.f}};
  if (!pattern.steps.empty()) json["steps"] = pattern.steps;
  if (!pattern.isSkewed()) return json;
  json["alpha"] = pattern.alpha;
  json["beta"] = pattern.beta;
  for (const compiler::BitSection& section : pattern.sections)
    json["sections"].push_back({{"high", section.high}, {"low", section.low}, {"shift", section.shift}});
  return json;
}

Json launchJson(const LaunchedAccess& launched, bool isLoad) {
  Json json{{"launches", launched.launches},
            {"grid", extent(launched.shape.grid)},
            {"block", extent(launched.shape.block)},
            {"pattern", patternJson(launched.pattern)}};
  if (isLoad) json["bytes"] = {{"literal", launched.literal}, {"relaxed", launched.relaxed}};
  return json;
}

Json accessJson(const SurveyedAccess& access) {
  Json json{
      {"pc", access.pc}, {"file", access.file}, {"line", access.line}, {"kind", access.isLoad ? "load" : "store"}, {"bytes", access.bytes}};
  json[access.reason.empty() ? "address" : "failure"] = access.reason.empty() ? access.text : access.reason;
  for (const LaunchedAccess& launched : access.launched) json["launched"].push_back(launchJson(launched, access.isLoad));
  return json;
}

Json sizes(const std::vector<std::pair<u32, u64>>& of) {
  Json json = Json::object();
  for (const auto& [bytes, loads] : of) json[std::to_string(bytes)] = loads;
  return json;
}

}  // namespace

Json surveyJson(const PatternSurvey& survey) {
  Json json{{"kernels", Json::array()}};
  for (const SurveyedKernel& kernel : survey.kernels()) {
    Json accesses = Json::array();
    for (const SurveyedAccess& access : kernel.accesses) accesses.push_back(accessJson(access));
    json["kernels"].push_back({{"name", kernel.name},
                               {"signature", demangled(kernel.name)},
                               {"module", kernel.module},
                               {"launches", kernel.launches},
                               {"accesses", std::move(accesses)}});
  }
  const SurveyTotals totals = survey.totals();
  json["loads"] = {
      {"all", totals.loads}, {"failed", totals.failed}, {"literal", sizes(totals.literal)}, {"relaxed", sizes(totals.relaxed)}};
  return json;
}

}  // namespace warpwright::cli
