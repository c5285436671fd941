// `warpwright mechanisms`: what can be added to a machine, or one of them with its settings.
#include <fmt/format.h>

#include <algorithm>

#include "cli/app.hpp"
#include "config/fields.hpp"
#include "config/mechanism.hpp"
#include "mechanisms/mechanism.hpp"
#include "plugins/load.hpp"

namespace warpwright::cli {
namespace {

std::string examples() {
  const std::string_view one = mechanisms::catalogue().front()->description.name;
  return fmt::format(
      "Examples:\n"
      "  warpwright mechanisms                                         all of them\n"
      "  warpwright mechanisms {0:<40}one, with its settings\n"
      "  warpwright run --machine gtx480 --mechanism {0} ./app   a machine that has it\n"
      "  warpwright mechanisms --plugin ./mine.so mine                 one that a plug-in brings\n"
      "\n"
      "Policies, which are named by keys of machine files, are in docs/machines.md; those of plug-ins are listed here.\n",
      one);
}

void printAll() {
  std::size_t width = 0;
  for (const config::MechanismKind* kind : config::mechanismKinds()) width = std::max(width, kind->name.size());
  for (const config::MechanismKind* kind : config::mechanismKinds()) fmt::print("{:<{}}  {}\n", kind->name, width, kind->text);
  for (const plugins::Loaded& plugin : plugins::loaded())
    for (const std::string& policy : plugin.policies) fmt::print("{}, of the plug-in {} {}\n", policy, plugin.name, plugin.version);
}

void printCounts(std::string_view what, stats::NamedStatistics (*statistics)()) {
  if (statistics == nullptr) return;
  statistics().forEach([&](const std::string& name, const stats::AnyStatistics& part) {
    fmt::print("{}, under {}:\n", what, name);
    part.forEachNumber([](const auto& number) { fmt::print("    {} ({}): {}\n", number.name, number.unit, number.text); });
  });
}

void printStatistics(const std::string& name) {
  for (const mechanisms::Kind* kind : mechanisms::catalogue()) {
    if (kind->description.name != name) continue;
    printCounts("What it observes of the values", kind->observed);
    printCounts("What it counts on the timed machine", kind->counted);
  }
}

void printOne(const std::string& name) {
  const config::MechanismKind& kind = config::mechanismKind(name);
  fmt::print("{}: {}\n{}\nSource: {}\n", kind.name, kind.text,
             kind.timed ? "It needs a timed machine." : "It works on functional machines too.", kind.paper);
  if (const plugins::Loaded* plugin = plugins::bringerOf(name))
    fmt::print("Brought by the plug-in {} {}, {}\n", plugin->name, plugin->version, plugin->file);
  const config::Machine defaults;
  for (const config::Field& field : config::findSection(fmt::format("mechanism.{}", name))->fields) {
    const std::string unit = field.unit.empty() ? "" : fmt::format(", {}", field.unit);
    fmt::print("{}\n    {}\n    {}{}; default {}\n", field.key(), field.text, field.rangeText(), unit, field.valueText(defaults));
  }
  printStatistics(name);
}

}  // namespace

void addMechanisms(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand("mechanisms", "List the mechanisms that a machine may have, or show one of them");
  auto name = std::make_shared<std::string>();
  command->add_option("name", *name, "Mechanism to show with its settings")->type_name("NAME");
  command->footer(examples());
  command->callback([name, &status] {
    name->empty() ? printAll() : printOne(*name);
    status = 0;
  });
}

}  // namespace warpwright::cli
