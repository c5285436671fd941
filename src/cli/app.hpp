// The parser of `warpwright`, and its subcommands.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>

#include "base/error.hpp"

namespace warpwright::cli {

// A command line that the parser took, and that says nothing that can be done: exit status 2, as for those that it refuses.
class WrongUsage : public Error {
 public:
  explicit WrongUsage(std::string message, std::string remedy) : Error(std::move(message), {}, std::move(remedy)) {}
};

// Of a subcommand in front of a program's own command line: a word that begins with - where the program's name should stand.
[[noreturn]] void refuseUnknownOption(const CLI::App& command, const std::string& word);

// The parser with every subcommand. A subcommand's callback stores the exit status in `status`.
std::unique_ptr<CLI::App> makeApp(int& status);

// One function a subcommand.
void addRun(CLI::App& app, int& status);
void addKernel(CLI::App& app, int& status);
void addReplay(CLI::App& app, int& status);
void addReplaySass(CLI::App& app, int& status);
void addInject(CLI::App& app, int& status);
void addDisasm(CLI::App& app, int& status);
void addRedundancy(CLI::App& app, int& status);
void addRegisters(CLI::App& app, int& status);
void addPatterns(CLI::App& app, int& status);
void addBanks(CLI::App& app, int& status);
void addLab(CLI::App& app, int& status);
void addReproduce(CLI::App& app, int& status);
void addReport(CLI::App& app, int& status);
void addMachines(CLI::App& app, int& status);
void addSpe(CLI::App& app, int& status);
void addRtl(CLI::App& app, int& status);
void addEnergy(CLI::App& app, int& status);
void addMechanisms(CLI::App& app, int& status);
void addImportConfig(CLI::App& app, int& status);
void addVersion(CLI::App& app, int& status);
void addCompletion(CLI::App& app, int& status);
void addMan(CLI::App& app, int& status);

}  // namespace warpwright::cli
