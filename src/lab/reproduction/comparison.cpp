#include "lab/reproduction/comparison.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "lab/analysis/text_table.hpp"
#include "lab/reproduction/number_text.hpp"

namespace warpwright::lab {
namespace {

std::string nameOf(const PublishedValue& value) {
  return value.name + (value.isMean ? " (mean)" : "") + (value.source.empty() ? "" : fmt::format(" [{}]", value.source));
}

std::string publishedText(const PublishedValue& value) {
  if (value.published) return numberText(*value.published, value.unit) + (value.byFormula ? " (formula)" : "");
  if (!value.word.empty()) return value.word;
  return value.isDrawn ? "drawn" : "none";
}

std::string boundsText(const std::optional<Bounds>& bounds) {
  return bounds ? fmt::format(" ({}, {})", numberText(bounds->low, ""), numberText(bounds->high, "")) : "";
}

std::string oursText(const Compared& compared) {
  if (!compared.value.mechanism.empty()) return "not yet: " + compared.value.mechanism;
  if (!compared.words.empty()) return fmt::format("{}", fmt::join(compared.words, " = "));
  if (!compared.ours) return "no value";
  return numberText(*compared.ours, compared.value.unit) + boundsText(compared.bounds);
}

std::string differenceText(const Compared& compared) {
  if (!compared.words.empty()) return std::ranges::find(compared.words, compared.value.word) != compared.words.end() ? "same" : "differs";
  if (!compared.ours || !compared.value.published) return "";
  const double published = *compared.value.published, ours = *compared.ours;
  const std::string share = published == 0 ? "" : fmt::format(" ({:+.0f} %)", 100 * (ours - published) / published);
  return fmt::format("{:+.3g}", ours - published) + share;
}

}  // namespace

std::string numberOf(const Item& item) {
  const std::string kind = item.kind == kSection ? "Section" : item.kind == "figure" ? "Figure" : "Table";
  return fmt::format("{} {}", kind, item.number);
}

std::string titleOf(const Item& item) {
  const bool saysSection = item.kind != kSection && !item.section.empty();
  return fmt::format("{}{}: {}", numberOf(item), saysSection ? ", section " + item.section : "", item.title);
}

ComparedText textOf(const Item& item, const Compared& compared) {
  ComparedText text{nameOf(compared.value), publishedText(compared.value), "", ""};
  if (!item.mechanism.empty()) return text;
  text.ours = oursText(compared);
  text.difference = differenceText(compared);
  return text;
}

Value relativeTo(const Compared& compared) {
  const Value& published = compared.value.published;
  return compared.ours && published && *published != 0 ? Value(*compared.ours / *published) : std::nullopt;
}

std::string textOf(const ItemComparison& comparison) {
  const Item& item = comparison.item;
  std::string text = titleOf(item) + "\n";
  if (!item.mechanism.empty()) text += "  not yet: " + item.mechanism + "\n";
  std::vector<std::vector<std::string>> rows = {{"  value", "published"}};
  if (item.mechanism.empty()) rows.front().insert(rows.front().end(), {"ours", "difference"});
  for (const Compared& each : comparison.values) {
    const ComparedText words = textOf(item, each);
    rows.push_back({"  " + words.name, words.published});
    for (const std::string& cell : {words.ours, words.difference})
      if (!cell.empty()) rows.back().push_back(cell);
  }
  text += comparison.values.empty() ? "  the paper gives no number in its text\n" : alignedText(rows, 1);
  text += comparison.drawings;
  for (const std::string& note : comparison.notes) text += "  " + note + "\n";
  return text;
}

}  // namespace warpwright::lab
