// Plug-ins that runs are given. They stand among the options of a run, by path and by content.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lab/experiment/experiment.hpp"

namespace warpwright::lab {

inline constexpr std::string_view kPluginFiles = "plugins";         // as WARPWRIGHT_PLUGINS has them
inline constexpr std::string_view kPluginContent = "plugins_hash";  // SHA-256 over what is in them

// All that this command has loaded; nothing where it has none.
Settings pluginSettings();
// Throws Error when the files are no longer what the options say.
void requireUnchanged(const Settings& options);

}  // namespace warpwright::lab
