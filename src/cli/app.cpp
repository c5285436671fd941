#include "cli/app.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/nearest.hpp"
#include "cli/command_line.hpp"
#include "cli/plugins.hpp"

namespace warpwright::cli {
namespace {

constexpr int kWrongUsage = 2;

constexpr const char* kAppExamples =
    "Examples:\n"
    "  warpwright-cc -O3 -o saxpy saxpy.cu     compile a CUDA program (see warpwright-cc --help)\n"
    "  warpwright run ./saxpy                  run it, then see what its kernels did\n"
    "  warpwright run --machine gtx480 --lines ./saxpy 1000000\n"
    "  warpwright kernel saxpy.ptx --grid 4 --block 256 --arg i32:1024 --arg f32:2 --arg buf:f32:1024:iota --arg buf:f32:1024\n"
    "  warpwright disasm ./saxpy               machine code beside its PTX\n"
    "  warpwright machines                     what can be simulated\n"
    "\n"
    "A program run without `warpwright run` works too; its settings then come from the environment (warpwright run --help lists them).";

// "--machin" as given, with the option that may have been meant.
std::string explainWords(const CLI::App& app, int argc, char** argv) {
  const CLI::App* command = &app;
  std::vector<std::string> known;  // the commands chosen, and what the last of them takes
  for (auto chosen = app.get_subcommands(); !chosen.empty(); chosen = command->get_subcommands()) {
    command = chosen.back();
    known.push_back(command->get_name());
  }
  for (const CLI::Option* option : command->get_options())
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  for (const CLI::App* sub : command->get_subcommands([](const CLI::App*) { return true; })) known.push_back(sub->get_name());
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (std::find(known.begin(), known.end(), word) != known.end()) continue;
    const std::string near = nearestName(word, known);
    if (!near.empty()) return "did you mean '" + near + "' instead of '" + word + "'?";
  }
  return {};
}

int report(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv) {
  if (error.get_exit_code() == 0) return app.exit(error);
  // A value that is refused, missing or one too many stands behind an option that is known.
  const bool isValue = dynamic_cast<const CLI::ValidationError*>(&error) != nullptr ||
                       dynamic_cast<const CLI::ConversionError*>(&error) != nullptr ||
                       dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr;
  const std::string hint = isValue ? "" : explainWords(app, argc, argv);
  std::fprintf(stderr, "warpwright: error: %s\n", error.what());
  if (!hint.empty()) std::fprintf(stderr, "  remedy: %s\n", hint.c_str());
  std::fprintf(stderr, "  `warpwright --help` and `warpwright COMMAND --help` show how it is used\n");
  return kWrongUsage;
}

// Standard output may be a file on a full disk, which shows only at the end.
int whenWritten(int status) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
  std::fprintf(stderr, "warpwright: error: cannot write to standard output: %s\n  remedy: free some space, or write elsewhere\n",
               std::strerror(errno));
  return status == 0 ? 1 : status;
}

}  // namespace

void refuseUnknownOption(const CLI::App& command, const std::string& word) {
  std::vector<std::string> known;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  const std::string near = nearestName(word, known);
  throw WrongUsage("unknown option '" + word + "'",
                   near.empty() ? "`warpwright " + command.get_name() + " --help` lists the options; those of the program follow its name"
                                : "did you mean '" + near + "'?");
}

std::unique_ptr<CLI::App> makeApp(int& status) {
  auto app = std::make_unique<CLI::App>("Runs CUDA programs on simulated GPUs and explains what their kernels do.", "warpwright");
  app->footer(kAppExamples);
  app->require_subcommand(1);
  app->set_help_flag("-h,--help", "Show this help");
  addRun(*app, status);
  addKernel(*app, status);
  addReplay(*app, status);
  addReplaySass(*app, status);
  addInject(*app, status);
  addDisasm(*app, status);
  addRegisters(*app, status);
  addRedundancy(*app, status);
  addPatterns(*app, status);
  addBanks(*app, status);
  addLab(*app, status);
  addReproduce(*app, status);
  addReport(*app, status);
  addMachines(*app, status);
  addSpe(*app, status);
  addRtl(*app, status);
  addEnergy(*app, status);
  addMechanisms(*app, status);
  addImportConfig(*app, status);
  addCompletion(*app, status);
  addMan(*app, status);
  addVersion(*app, status);
  addPlugins(*app);
  return app;
}

int runCommand(int argc, char** argv) {
  int status = 0;
  const auto app = makeApp(status);
  try {
    app->parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return report(*app, error, argc, argv);
  } catch (const std::exception& error) {
    std::fflush(stdout);
    std::fprintf(stderr, "warpwright: %s\n", error.what());
    return dynamic_cast<const WrongUsage*>(&error) != nullptr ? kWrongUsage : 1;
  }
  return whenWritten(status);
}

}  // namespace warpwright::cli
