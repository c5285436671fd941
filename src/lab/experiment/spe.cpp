#include "lab/experiment/spe.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>
#include <toml++/toml.h>

#include "spe/machine.hpp"
#include "spe/programs/program.hpp"

namespace warpwright::lab {

bool isSpe(std::string_view name) { return name.starts_with(kSpe); }
std::string speName(std::string_view name) { return std::string(name.substr(kSpe.size())); }

void requireSpeProgram(const std::string& run) { spe::programOf(speName(run)); }

std::string speConfiguration(const std::string& machine, const Settings& settings) {
  std::vector<std::string> texts;
  for (const Setting& setting : settings) texts.push_back(setting.name + "=" + setting.value);
  return spe::toToml(spe::machineOf(speName(machine), texts));
}

std::vector<std::string> speWords(const std::string& configuration) {
  const toml::table table = toml::parse(configuration);
  std::vector<std::string> words = {"--spe", table["name"].value_or(std::string())};
  for (const spe::Field& field : spe::fields()) {
    const toml::node_view value = table["spe"][field.name];
    const std::string text = value.is_string() ? value.value_or(std::string()) : fmt::format("{}", fmt::streamed(value));
    words.insert(words.end(), {"--set", fmt::format("{}={}", field.key(), text)});
  }
  return words;
}

}  // namespace warpwright::lab
