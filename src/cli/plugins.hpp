// `--plugin` (docs/plugins.md).
#pragma once

#include <CLI/CLI.hpp>

namespace warpwright::cli {

// Adds it to the commands that are there. Plug-ins are loaded when the command line has been read, before the command begins.
void addPlugins(CLI::App& app);

}  // namespace warpwright::cli
