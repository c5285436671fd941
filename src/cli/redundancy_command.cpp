// `warpwright redundancy`: routines that compute again what a program's kernels store and branch on.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/file.hpp"
#include "cli/app.hpp"
#include "compiler/redundancy/checks.hpp"
#include "config/machine.hpp"
#include "runtime/code_units.hpp"
#include "runtime/environment.hpp"

namespace warpwright::cli {
namespace {

constexpr const char* kRedundancyExamples =
    "Example:\n"
    "  warpwright-cc -O3 --no-lineinfo -o hotspot hotspot.cu\n"
    "  warpwright redundancy ./hotspot -o again.ptx\n"
    "  warpwright run --machine gtx480 --assist again.ptx ./hotspot\n";

struct RedundancyChoice {
  std::string file, output, machine;
  std::vector<u32> lines;
  compiler::RedundancyOptions options;
};

int run(RedundancyChoice choice) {
  if (choice.options.corrects) choice.options.priority = "high";
  choice.options.lines = {choice.lines.begin(), choice.lines.end()};
  const std::vector<runtime::CodeUnit> units = runtime::codeUnits(choice.file, config::loadMachine(choice.machine));
  if (units.size() != 1)
    throw Error(fmt::format("'{}' has {} modules, and lines are those of one", choice.file, units.size()), {},
                "link kernels as one module, or name its PTX file");
  const compiler::RedundantChecks checks = compiler::redundantChecks(runtime::parseUnit(units.front()), choice.options);
  if (checks.routines == 0)
    throw Error(fmt::format("nothing in '{}' can be computed again", choice.file), {}, "check --kernel and --lines");
  if (choice.output.empty()) {
    fmt::print("{}", checks.text);
  } else {
    writeFile(choice.output, checks.text);
  }
  fmt::print(stderr, "warpwright: {} routines repeat {} of {} instructions that feed stores, loads' addresses and branches\n",
             checks.routines, checks.covered, checks.computed);
  return 0;
}

}  // namespace

void addRedundancy(CLI::App& app, int& status) {
  CLI::App* command =
      app.add_subcommand("redundancy", "Write routines that compute again, beside the warps, what kernels store and branch on");
  auto choice = std::make_shared<RedundancyChoice>();
  choice->machine = runtime::kDefaultMachine;
  command->add_option("file", choice->file, "PTX file, or program that warpwright-cc compiled with --no-lineinfo")
      ->required()
      ->type_name("FILE");
  command->add_option("-k,--kernel", choice->options.kernel, "Of this kernel alone")->type_name("NAME");
  command->add_option("--lines", choice->lines, "Of these lines of the PTX alone")
      ->delimiter(',')
      ->type_name("N,…")
      ->allow_extra_args(false);
  command
      ->add_option("--priority", choice->options.priority,
                   "Of the routines: low, normal (default) or high, for which the warp waits, and which checks addresses, too")
      ->check(CLI::IsMember({"low", "normal", "high"}))
      ->type_name("PRIORITY");
  command->add_flag("--correct", choice->options.corrects,
                    "The result of the routine takes the place of the program's, which waits for it");
  command->add_option("-o,--output", choice->output, "File; default: standard output")->type_name("FILE.ptx");
  command->footer(kRedundancyExamples);
  command->callback([choice, &status] { status = run(*choice); });
}

}  // namespace warpwright::cli
