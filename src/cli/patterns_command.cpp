// `warpwright patterns`: which addresses the loads and stores of a program's kernels access, as its code tells, and the sizes that loads
// would fetch from DRAM (docs/horizontal-locality.md).
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "base/demangle.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "base/long_work.hpp"
#include "cc/driver/process.hpp"
#include "cli/app.hpp"
#include "cli/patterns/survey.hpp"
#include "cli/simulation_options.hpp"
#include "runtime/environment.hpp"
#include "runtime/replay.hpp"

namespace warpwright::cli {
namespace {

constexpr const char* kPatternsExamples =
    "Examples:\n"
    "  warpwright patterns ./sgemm --size test                  every load and store, by source line\n"
    "  warpwright patterns --kernel walshGlobal ./fast-walsh-transform\n"
    "  warpwright patterns --machine gtx480 --skewed index --json patterns.json ./app\n"
    "\n"
    "The program runs on the functional machine. 'literal' is the size by algorithm 6.1 as it stands, 'relaxed' that without the condition "
    "that\n"
    "blocks beside one another continue each other's rows. \"analysis fails\" comes with the reason.\n";

struct PatternsChoice {
  std::string machine = runtime::kDefaultMachine, kernel, json, skewed = "bytes";
  u32 maxRegisters = 0;
  bool keepsLengths = false;
  PatternChoice pattern;
};

compiler::GranularityRules::Skewed skewedOf(const std::string& word) {
  using enum compiler::GranularityRules::Skewed;
  return word == "index" ? index : word == "scaled_step" ? scaledStep : bytes;
}

// The launches of the program, as a checkpoint.
void record(const PatternsChoice& choice, const std::vector<std::string>& words, const std::string& file) {
  cc::Command command = {"/proc/self/exe", "run", "--functional", "--quiet", "--machine", choice.machine, "--checkpoint", file};
  if (choice.maxRegisters != 0) command.insert(command.end(), {"--max-registers", std::to_string(choice.maxRegisters)});
  command.insert(command.end(), words.begin(), words.end());
  int status = 0;
  const std::string output = cc::capture(command, &status);
  if (status != 0)
    throw Error(fmt::format("'{}' ended with status {}:\n{}", words.front(), status, output), {},
                "run it by hand with `warpwright run`, until it ends with status 0");
  if (!std::filesystem::exists(file))
    throw Error(fmt::format("'{}' launches no kernel", words.front()), {}, "give it the arguments with which it uses the GPU");
}

void survey(const std::string& file, PatternSurvey& into, LongWork& work) {
  runtime::Replay replay(file);
  runtime::Settings settings = replay.settings();
  settings.machine = replay.machine();
  settings.profile = true;  // observers are asked for with it
  settings.analyses = {&compiler::kAccessPatterns};
  settings.makeMechanisms = [&](const config::Machine& machine) {
    mechanisms::Mechanisms all = mechanisms::makeMechanisms(machine);
    all.push_back(surveying(into));
    return all;
  };
  runtime::Device device(settings);
  for (u64 launch = 1;; ++launch) {
    work.begin(fmt::format("launch {}", launch));
    const std::optional<runtime::LaunchOutcome> outcome = replay.next(device);
    if (!outcome) return;
    if (outcome->status != exec::LaunchStatus::completed) throw Error(outcome->message);
  }
}

void show(const CLI::App& command, PatternsChoice& choice) {
  std::vector<std::string> words = command.remaining();
  if (!words.empty() && words.front() == "--") words.erase(words.begin());
  if (words.empty()) throw WrongUsage("no program to look at", "warpwright patterns ./app arguments…");
  if (words.front().starts_with("-")) refuseUnknownOption(command, words.front());
  choice.pattern.rules.skewed = skewedOf(choice.skewed);
  choice.pattern.rules.roundsDown = !choice.keepsLengths;
  if (choice.pattern.limits.least > choice.pattern.limits.most)
    throw WrongUsage(fmt::format("sizes from {} to {} bytes: there is none", choice.pattern.limits.least, choice.pattern.limits.most),
                     "give --least the lower number");
  const cc::TemporaryFolder folder;
  const std::string file = folder.path() + "/launches.ckpt";
  PatternSurvey all(choice.pattern);
  {
    LongWork work("patterns");
    work.begin("the program, to record its launches");
    record(choice, words, file);
    survey(file, all, work);
  }
  const std::string text = surveyText(all, choice.kernel);
  if (text.empty()) {
    std::vector<std::string> names;
    for (const SurveyedKernel& kernel : all.kernels()) names.push_back(demangled(kernel.name));
    throw Error(fmt::format("'{}' launches no kernel '{}'", words.front(), choice.kernel), {},
                fmt::format("its kernels are: {}", fmt::join(names, ", ")));
  }
  fmt::print("{}", text);
  if (!choice.json.empty()) writeFile(choice.json, surveyJson(all).dump(2) + "\n");
}

}  // namespace

void addPatterns(CLI::App& app, int& status) {
  CLI::App* command =
      app.add_subcommand("patterns",
                         "Show which addresses the loads and stores of a program's kernels access, as far as the code tells, and "
                         "what loads would fetch: warpwright patterns [OPTIONS] ./app [ARGUMENTS…]");
  auto choice = std::make_shared<PatternsChoice>();
  command->add_option("-m,--machine", choice->machine, "Machine to compile for")->type_name("NAME|FILE.toml");
  command->add_option("-k,--kernel", choice->kernel, "Only this kernel; its name as in the source or as in the PTX")->type_name("NAME");
  command->add_option("--least", choice->pattern.limits.least, "What DRAM gives at least")->check(CLI::Range(1, 4096))->type_name("BYTES");
  command->add_option("--most", choice->pattern.limits.most, "Of a channel before the next one's")
      ->check(CLI::Range(1, 4096))
      ->type_name("BYTES");
  command
      ->add_option(
          "--skewed", choice->skewed,
          "What steps and sections of the second skeleton are counted in: index, scaled_step (an index, with steps in bytes) or bytes")
      ->check(CLI::IsMember({"index", "scaled_step", "bytes"}))
      ->type_name("UNIT");
  command->add_flag("--keep-lengths", choice->keepsLengths, "Rows that are no power of two long are fetched whole, not rounded down");
  command->add_option("--max-registers", choice->maxRegisters, "Most registers of a thread")->type_name("N");
  command->add_option("--json", choice->json, "Write all of it as JSON, too")->type_name("FILE");
  command->prefix_command();
  command->footer(kPatternsExamples);
  command->callback([command, choice, &status] {
    show(*command, *choice);
    status = 0;
  });
}

}  // namespace warpwright::cli
