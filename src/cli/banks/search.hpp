// `warpwright banks search`: bank maps that serve given patterns.
#pragma once

#include <CLI/CLI.hpp>

namespace warpwright::cli {

void addBankSearch(CLI::App& banks, int& status);

}  // namespace warpwright::cli
