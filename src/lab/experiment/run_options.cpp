#include "lab/experiment/run_options.hpp"

#include <algorithm>
#include <charconv>

#include "base/error.hpp"
#include "config/fields.hpp"
#include "energy/table.hpp"
#include "lab/experiment/plugins.hpp"
#include "machines/block_sampling.hpp"
#include "machines/pc_histogram/settings.hpp"
#include "plugins/load.hpp"
#include "runtime/environment.hpp"
#include "spe/machine.hpp"

namespace warpwright::lab {
namespace {

constexpr std::string_view kInterval = "interval";

void checkPositive(const std::string& value) {
  u64 number = 0;
  const auto [end, failed] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (failed != std::errc{} || end != value.data() + value.size() || number == 0) throw Error("'" + value + "' is not a positive number");
}

void checkSwitch(const std::string& value) {
  if (value != "true" && value != "false") throw Error("'" + value + "' is neither true nor false");
}

void checkAddressBits(const std::string& value) {
  if (value != "32" && value != "64") throw Error("addresses have 32 or 64 bits, not " + value);
}

void checkMaxRegisters(const std::string& value) {
  checkPositive(value);
  if (value.size() > 3 || std::stoul(value) > isa::kMaxRegisters)
    throw Error("a thread has at most " + std::to_string(isa::kMaxRegisters) + " registers, not " + value);
}

constexpr RunOption kOptions[] = {
    {"max_registers", "--max-registers", "upper bound for the registers of a thread", false, checkMaxRegisters},
    {"spill_first", "--spill-first", "what is spilled first: distant or affine", false,
     [](const std::string& value) { runtime::parseSpillPolicy(value); }},
    {"address_bits", "--address-bits", "width of device addresses: 32 or 64", false, checkAddressBits},
    {"check", "--check", "further checks: uninitialised, races, synchronisation, neighbours, all", false,
     [](const std::string& value) { runtime::parseChecks(value); }},
    {"on_fault", "--on-fault", "kernels that access memory out of bounds: stop or warn", false,
     [](const std::string& value) { runtime::parseOnFault(value); }},
    {"functional", "--functional", "results and profile only, without time", true, checkSwitch},
    {"data", "--data", "what the arrays of each kernel hold, for the report", true, checkSwitch},
    {"max_cycles", "--max-cycles", "stop a timed kernel after so many cycles", false, checkPositive},
    {"max_seconds", "--max-seconds", "stop a kernel after so many seconds of the host", false, checkPositive},
    {"sample", "--sample", "execute everything and time a part", true, checkSwitch},
    {"error", "--error", "how far the cycles of a sampled program may be off: 3%", false,
     [](const std::string& value) { runtime::parseSampleError(value); }},
    {kSampleTimes, "--sample-times", "keep what timed launches of a sampled program take in a folder, and time none twice"},
    {kSamplePart, "--sample-part", "of the launches of a sampled program that must be timed, time a share: 1/4", false,
     [](const std::string& value) { runtime::parseSamplePart(value); }},
    {"sample_blocks", "--sample-blocks", "simulate only so many blocks of each launch in detail", false,
     [](const std::string& value) { machines::parseBlockSample(value); }},
    {"functional_until", "--functional-until", "only compute the launches before this kernel"},
    {"pc_histogram", "--pc-histogram", "keep at which instructions the threads of an SM, or of one block there, stand over time", false,
     [](const std::string& value) { machines::parsePcHistogram(value); }},
    {"pc_interval", "--pc-interval", "core cycles of a sample of the PC histogram", false, checkPositive},
    {"energy", "--energy", "account for energy with the costs of a table: its name or file", false,
     [](const std::string& value) { energy::loadTable(value); }},
    {kInterval, "--interval", "keep a time series, with a row for so many core cycles", false, checkPositive},
};

}  // namespace

std::span<const RunOption> runOptions() { return kOptions; }

const RunOption* findRunOption(std::string_view name) {
  const auto found = std::find_if(std::begin(kOptions), std::end(kOptions), [&](const RunOption& option) { return option.name == name; });
  return found == std::end(kOptions) ? nullptr : &*found;
}

ParameterKind kindOf(const std::string& parameter) {
  if (parameter.starts_with("--")) return ParameterKind::argument;
  if (findRunOption(parameter)) return ParameterKind::runOption;
  const config::Section* section = config::findSection(parameter);
  const bool isMechanism = section != nullptr && section->mechanism != nullptr;
  const bool isKey = isMechanism || config::findField(parameter) || spe::findField(parameter);
  return isKey ? ParameterKind::machineKey : ParameterKind::unknown;
}

std::vector<std::string> parameterNames() {
  std::vector<std::string> names;
  for (const RunOption& option : kOptions) names.emplace_back(option.name);
  for (const config::Field* field : config::fields()) names.push_back(field->key());
  for (const spe::Field& field : spe::fields()) names.push_back(field.key());
  for (const config::MechanismKind* kind : config::mechanismKinds()) names.push_back("mechanism." + std::string(kind->name));
  return names;
}

std::vector<std::string> wordsOf(const Settings& options, const std::string& seriesFile) {
  std::vector<std::string> words;
  for (const Setting& setting : options) {
    if (setting.name == kPluginFiles)
      for (const std::string& file : plugins::split(setting.value)) words.insert(words.end(), {"--plugin", file});
    if (setting.name == kPluginFiles || setting.name == kPluginContent) continue;
    const RunOption* option = findRunOption(setting.name);
    if (option->isSwitch && setting.value != "true") continue;
    words.emplace_back(option->flag);
    if (!option->isSwitch) words.push_back(setting.value);
    if (option->name == kInterval) words.insert(words.end(), {"--series", seriesFile});
  }
  return words;
}

}  // namespace warpwright::lab
