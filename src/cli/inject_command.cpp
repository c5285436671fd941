// `warpwright inject`: what faults in a program's kernels come to (docs/fault-injection.md).
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <thread>

#include "base/file.hpp"
#include "cli/app.hpp"
#include "cli/checks.hpp"
#include "cli/inject/vulnerability.hpp"
#include "cli/simulation_options.hpp"
#include "runtime/injection.hpp"
#include "stats/json.hpp"

namespace warpwright::cli {
namespace {

constexpr const char* kInjectExamples =
    "Examples:\n"
    "  warpwright inject --runs 200 ./hotspot --size test     200 runs, a flipped bit in each\n"
    "  warpwright inject --runs 200 --in register+shared --seed 7 --json faults.json ./hotspot --size test\n"
    "  warpwright inject --runs 50 saxpy.ptx --grid 4 --block 256 --arg i32:1024 --arg f32:2 --arg buf:f32:1024:iota --arg buf:f32:1024\n"
    "  warpwright inject --machine gtx480 --assist checks.ptx --detected-by assist_routine_check.counted ./hotspot --size test\n";

struct InjectChoice {
  SimulationOptions simulation;
  CampaignSettings campaign;
  bool annotate = false;
};

int run(const CLI::App& command, InjectChoice choice) {
  CampaignSettings& campaign = choice.campaign;
  campaign.words = command.remaining();
  if (!campaign.words.empty() && campaign.words.front() == "--") campaign.words.erase(campaign.words.begin());
  if (campaign.words.empty()) throw WrongUsage("no program to run", "warpwright inject --runs 100 ./app arguments…");
  if (campaign.words.front().starts_with("-")) refuseUnknownOption(command, campaign.words.front());
  if (!choice.simulation.inject.empty())
    throw WrongUsage("--inject is of a run, and this command chooses faults itself", "say where with --in, and how many with --runs");
  if (u64{campaign.runs} * campaign.faultsPerRun > std::numeric_limits<u32>::max())
    throw WrongUsage("more faults than can be told apart", "ask for fewer --runs");
  runtime::parseInjection(fmt::format("in={},rate=1", campaign.targets));
  campaign.isQuiet = choice.simulation.quiet;
  const std::string json = std::exchange(choice.simulation.json, "");
  choice.simulation.exportToEnvironment();
  const stats::Json data = vulnerabilityData(campaign, runCampaign(campaign));
  fmt::print("{}", vulnerabilityText(data));
  if (choice.annotate) fmt::print("\n{}", annotatedSources(data));
  if (!json.empty()) writeFile(json, data.dump(2) + "\n");
  return 0;
}

}  // namespace

void addInject(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand("inject",
                                         "Run a program again and again with flipped bits, and tell what came of them: "
                                         "warpwright inject [OPTIONS] ./app [ARGUMENTS…]");
  auto choice = std::make_shared<InjectChoice>();
  choice->campaign.jobs = std::max(1U, std::thread::hardware_concurrency());
  command->add_option("--runs", choice->campaign.runs, "Runs with faults; default 100")->check(positive<u32>())->type_name("N");
  command->add_option("--faults", choice->campaign.faultsPerRun, "Faults of a run; default 1")->check(positive<u32>())->type_name("N");
  command->add_option("--seed", choice->campaign.seed, "Which faults; default 1")->type_name("N");
  command->add_option("--in", choice->campaign.targets, "Where: result (default), register, shared, global, or several joined by +")
      ->type_name("TARGET+…");
  command->add_option("--detected-by", choice->campaign.detectedBy, "A mechanism's counter that is higher where a fault has been found")
      ->type_name("STRUCTURE.COUNTER");
  command->add_option("-j,--jobs", choice->campaign.jobs, "Runs at a time; default: one a processor")
      ->check(positive<u32>())
      ->type_name("N");
  command->add_flag("--annotate", choice->annotate, "Also print the sources, with what faults in each line came to");
  choice->simulation.addTo(*command);
  command->prefix_command();
  command->footer(kInjectExamples);
  command->callback([command, choice, &status] { status = run(*command, *choice); });
}

}  // namespace warpwright::cli
