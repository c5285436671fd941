#include "lab/reproduction/tag_rules.hpp"

#include <optional>
#include <sstream>

#include "values/tag_rules.hpp"

namespace warpwright::lab {
namespace {

using values::Tag;

constexpr std::string_view kLetters = "VAU";  // in the order of Tag

struct Rule {
  std::string_view name;
  Tag (*result)(Tag, Tag);
};

constexpr Rule kRules[] = {{"sum", values::sum}, {"product", values::product}, {"shift_left", values::shiftLeft}};

std::optional<Tag> tagOf(const std::string& letter) {
  const std::size_t index = letter.size() == 1 ? kLetters.find(letter) : std::string_view::npos;
  return index == std::string_view::npos ? std::nullopt : std::optional<Tag>(static_cast<Tag>(index));
}

}  // namespace

std::string tagOfResult(const std::string& rule) {
  std::istringstream words(rule);
  std::string name, first, second;
  words >> name >> first >> second;
  const std::optional<Tag> a = tagOf(first), b = tagOf(second);
  for (const Rule& each : kRules)
    if (each.name == name && a && b) return std::string(1, kLetters[static_cast<std::size_t>(each.result(*a, *b))]);
  return {};
}

}  // namespace warpwright::lab
