// `warpwright banks stream`: long vectors in a memory whose banks are busy for several cycles.
#pragma once

#include <CLI/CLI.hpp>

namespace warpwright::cli {

void addBankStream(CLI::App& banks, int& status);

}  // namespace warpwright::cli
