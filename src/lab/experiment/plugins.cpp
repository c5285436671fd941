#include "lab/experiment/plugins.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "lab/identity/hash.hpp"
#include "plugins/load.hpp"

namespace warpwright::lab {
namespace {

std::string contentOf(const std::vector<std::string>& files) {
  Hasher hasher;
  for (const std::string& file : files) hasher.add(hashOfFile(file));
  return hasher.hex();
}

std::string valueIn(const Settings& options, std::string_view name) {
  const auto found = std::find_if(options.begin(), options.end(), [&](const Setting& option) { return option.name == name; });
  return found == options.end() ? std::string() : found->value;
}

}  // namespace

Settings pluginSettings() {
  std::vector<std::string> files;
  for (const plugins::Loaded& plugin : plugins::loaded()) files.push_back(plugin.file);
  if (files.empty()) return {};
  return {{std::string(kPluginFiles), plugins::joined(files)}, {std::string(kPluginContent), contentOf(files)}};
}

void requireUnchanged(const Settings& options) {
  const std::string files = valueIn(options, kPluginFiles);
  if (files.empty() || contentOf(plugins::split(files)) == valueIn(options, kPluginContent)) return;
  throw Error(fmt::format("a plug-in of '{}' has changed since the experiment was planned", files), {},
              "give the command again: it plans anew");
}

}  // namespace warpwright::lab
