// The parser of `warpwright`, and its subcommands.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>

namespace warpwright::cli {

// The parser with every subcommand. A subcommand's callback stores the exit status in `status`.
std::unique_ptr<CLI::App> makeApp(int& status);

// One function a subcommand.
void addRun(CLI::App& app, int& status);
void addKernel(CLI::App& app, int& status);
void addReplay(CLI::App& app, int& status);
void addDisasm(CLI::App& app, int& status);
void addRegisters(CLI::App& app, int& status);
void addBanks(CLI::App& app, int& status);
void addLab(CLI::App& app, int& status);
void addReproduce(CLI::App& app, int& status);
void addReport(CLI::App& app, int& status);
void addMachines(CLI::App& app, int& status);
void addMechanisms(CLI::App& app, int& status);
void addImportConfig(CLI::App& app, int& status);
void addVersion(CLI::App& app, int& status);
void addCompletion(CLI::App& app, int& status);

}  // namespace warpwright::cli
