// The machines and mechanisms that there are.
#include <nlohmann/json.hpp>

#include "config/fields.hpp"
#include "config/mechanism.hpp"
#include "mechanisms/mechanism.hpp"
#include "plugins/load.hpp"
#include "warpwright/simulator.hpp"

namespace warpwright {
namespace {

using Json = nlohmann::ordered_json;

Json settingsOf(const std::string& mechanism) {
  const config::Machine defaults;
  Json settings = Json::array();
  for (const config::Field& field : config::findSection("mechanism." + mechanism)->fields)
    settings.push_back({{"name", field.name},
                        {"unit", field.unit},
                        {"range", field.rangeText()},
                        {"text", field.text},
                        {"default", field.valueText(defaults)}});
  return settings;
}

Json countsOf(const mechanisms::Kind& kind) {
  Json counts = Json::array();
  if (kind.counted == nullptr) return counts;
  kind.counted().forEach([&](const std::string& name, const stats::AnyStatistics& part) {
    part.forEachNumber([&](const auto& number) {
      counts.push_back({{"name", name + "." + number.name}, {"unit", number.unit}, {"text", number.text}});
    });
  });
  return counts;
}

}  // namespace

std::vector<std::string> machineNames() {
  plugins::loadFromEnvironment();
  std::vector<std::string> names;
  for (const config::Machine& machine : config::presetMachines()) names.push_back(machine.name);
  return names;
}

std::string machineText(const std::string& nameOrFile, const std::vector<std::string>& overrides) {
  plugins::loadFromEnvironment();
  return config::toToml(config::loadMachine(nameOrFile, overrides));
}

std::string machineKeys() {
  plugins::loadFromEnvironment();
  Json keys = Json::array();
  for (const config::FieldInfo& field : config::machineFields())
    keys.push_back(
        {{"key", field.key}, {"unit", field.unit}, {"range", field.range}, {"text", field.text}, {"default", field.defaultValue}});
  return keys.dump();
}

std::string mechanismList() {
  plugins::loadFromEnvironment();
  Json all = Json::array();
  for (const mechanisms::Kind* kind : mechanisms::catalogue()) {
    const config::MechanismKind& described = kind->description;
    all.push_back({{"name", described.name},
                   {"text", described.text},
                   {"paper", described.paper},
                   {"timed", described.timed},
                   {"settings", settingsOf(std::string(described.name))},
                   {"counts", countsOf(*kind)}});
  }
  return all.dump();
}

}  // namespace warpwright
