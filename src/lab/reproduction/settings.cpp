#include "lab/reproduction/settings.hpp"

#include <algorithm>
#include <charconv>

#include "config/fields.hpp"
#include "lab/analysis/expression.hpp"

namespace warpwright::lab {
namespace {

// As expressions may have it.
std::string withoutHyphens(std::string key) {
  std::replace(key.begin(), key.end(), '-', '_');
  return key;
}

std::string valueText(const config::Machine& machine, const std::string& key) {
  for (const config::Section& section : config::sections()) {
    if (!applies(section, machine)) continue;
    const auto field = std::find_if(section.fields.begin(), section.fields.end(),
                                    [&](const auto& each) { return withoutHyphens(each.key()) == withoutHyphens(key); });
    if (field != section.fields.end()) return field->valueText(machine);
  }
  return {};
}

std::optional<double> numberIn(const std::string& text) {
  if (text == "true" || text == "false") return text == "true" ? 1 : 0;
  double number = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  return failed == std::errc{} && end == text.data() + text.size() ? std::optional<double>(number) : std::nullopt;
}

}  // namespace

config::Machine machineNamed(const Paper& paper, const std::string& name) {
  const bool isPapers = std::any_of(paper.machines.begin(), paper.machines.end(), [&](const auto& each) { return each.name == name; });
  if (!isPapers) return config::loadMachine(name);
  const PublishedMachine& own = machineOf(paper, name);
  return config::loadMachine(own.preset, own.settings);
}

std::optional<double> settingNumber(const Paper& paper, const std::string& machine, const std::string& expression) {
  const config::Machine chosen = machineNamed(paper, machine);
  return Expression(expression).evaluate([&](const std::string& key) { return numberIn(valueText(chosen, key)); });
}

std::string settingWord(const Paper& paper, const std::string& machine, const std::string& key) {
  std::string text = valueText(machineNamed(paper, machine), key);
  std::erase(text, '"');
  return text;
}

}  // namespace warpwright::lab
