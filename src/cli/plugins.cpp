#include "cli/plugins.hpp"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "plugins/load.hpp"

namespace warpwright::cli {
namespace {

constexpr const char* kOption = "--plugin";
// Commands that have nothing to do with machines.
constexpr const char* kWithout[] = {"banks", "completion", "version"};

std::vector<CLI::App*> subcommandsOf(CLI::App& command) {
  return command.get_subcommands([](const CLI::App*) { return true; });
}

void addTo(CLI::App& command, const std::shared_ptr<std::vector<std::string>>& files) {
  const auto named = [&](const char* name) { return command.get_name() == name; };
  if (std::any_of(std::begin(kWithout), std::end(kWithout), named)) return;
  const std::vector<CLI::App*> parts = subcommandsOf(command);
  for (CLI::App* part : parts) addTo(*part, files);
  if (!parts.empty()) return;
  command
      .add_option_function<std::vector<std::string>>(
          kOption, [files](const std::vector<std::string>& more) { files->insert(files->end(), more.begin(), more.end()); },
          "Load mechanisms from a plug-in (docs/plugins.md); may be given several times")
      ->type_name("FILE.so")
      ->allow_extra_args(false);
}

bool takesPlugins(const CLI::App& app) {
  const CLI::App* command = &app;
  for (auto chosen = app.get_subcommands(); !chosen.empty(); chosen = command->get_subcommands()) command = chosen.back();
  return command->get_option_no_throw(kOption) != nullptr;
}

// What is started from here finds them in its environment.
void load(const std::vector<std::string>& files) {
  plugins::loadFromEnvironment();
  for (const std::string& file : files) plugins::load(file);
  std::vector<std::string> paths;
  for (const plugins::Loaded& plugin : plugins::loaded()) paths.push_back(plugin.file);
  if (!paths.empty()) setenv(plugins::kVariable, plugins::joined(paths).c_str(), 1);
}

}  // namespace

void addPlugins(CLI::App& app) {
  auto files = std::make_shared<std::vector<std::string>>();
  for (CLI::App* command : subcommandsOf(app)) addTo(*command, files);
  app.parse_complete_callback([&app, files] {
    if (takesPlugins(app)) load(*files);
  });
}

}  // namespace warpwright::cli
