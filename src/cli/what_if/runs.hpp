// `warpwright run --what-if`: a program run again on machines without one of their limits, each run a process of its own.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/machine.hpp"
#include "machines/verdict/what_if.hpp"
#include "stats/json.hpp"

namespace warpwright::cli {

struct WhatIfRun {
  const machines::WhatIf* what = nullptr;
  std::vector<std::string> settings;   // as --set has them
  std::optional<stats::Json> profile;  // nothing: it failed
  std::string failure;                 // the first line of what it said then
};

// Those to run: "" those that the limits of the profile's kernels name, of the kernels that --kernel asks for; "all", or names separated by
// commas. Throws WrongUsage for others.
std::vector<const machines::WhatIf*> whatIfsFor(const std::string& asked, const stats::Json& profile);
// The same before there is a profile: throws as said.
void checkWhatIfs(const std::string& asked);

// Runs the command with the settings of the process's environment and those of each what-if; as many at a time as the host has processors.
// Shows on standard error what it does, how far it is, how long each took, and about how long the rest will take; with --quiet, only what
// failed.
std::vector<WhatIfRun> runWhatIfs(const std::vector<const machines::WhatIf*>& whatIfs, const std::vector<std::string>& command,
                                  const config::Machine& machine, const std::vector<std::string>& overrides, u32 threads);

}  // namespace warpwright::cli
