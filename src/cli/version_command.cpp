// `warpwright version`.
#include <fmt/format.h>

#include "cli/app.hpp"
#include "config/machine.hpp"

namespace warpwright::cli {

void addVersion(CLI::App& app, int& status) {
  app.set_version_flag("--version", "warpwright " WARPWRIGHT_VERSION, "Show the version");
  CLI::App* command = app.add_subcommand("version", "Show the version and where machine files are looked for");
  command->footer("Example:\n  warpwright version\n");
  command->callback([&status] {
    fmt::print("warpwright {}\nmachine files: {}\n", WARPWRIGHT_VERSION, config::configFolder());
    status = 0;
  });
}

}  // namespace warpwright::cli
