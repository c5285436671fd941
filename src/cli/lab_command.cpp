// `warpwright lab`: experiments over many programs, machines and parameters (docs/lab.md).
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <thread>

#include "base/error.hpp"
#include "base/long_work.hpp"
#include "cli/app.hpp"
#include "cli/checks.hpp"
#include "lab/analysis/compare.hpp"
#include "lab/analysis/metrics.hpp"
#include "lab/analysis/print.hpp"
#include "lab/analysis/text_table.hpp"
#include "lab/execution/progress.hpp"
#include "lab/execution/sweep.hpp"

namespace warpwright::cli {
namespace {

constexpr int kSomeRunsFailed = 1;
constexpr int kInterrupted = 130;  // as shells have it: 128 + SIGINT
constexpr const char* kDefaultDatabase = "lab.db";

constexpr const char* kLabExamples =
    "Examples:\n"
    "  warpwright lab run caches.toml               run what is not in the store yet, then show the table\n"
    "  warpwright lab run caches.toml --jobs 8 --memory 2G --timeout 600\n"
    "  warpwright lab run caches.toml --launcher slurm --jobs 64\n"
    "  warpwright lab run caches.toml --dry-run     say what would be run\n"
    "  warpwright lab status                        how far experiments are, and what failed\n"
    "  warpwright lab export --csv -o caches.csv    every row of the latest experiment\n"
    "  warpwright lab compare caches@3 caches@4     what changed between two of them\n"
    "  warpwright lab compare before.db after.db    … or between the latest of two stores\n";

struct StoreChoice {
  std::string file = kDefaultDatabase;
  double lockWait = static_cast<double>(lab::kLockWait.count());

  void addTo(CLI::App& command) {
    command.add_option("--db", file, "The store: an SQLite file; default lab.db")->type_name("FILE");
    command.add_option("--lock-wait", lockWait, "Seconds to wait for another writer of the store; default 30")
        ->check(nonNegative())
        ->type_name("S");
  }
  lab::OpenOptions options(lab::Access access) const { return {access, std::chrono::milliseconds(static_cast<s64>(lockWait * 1000))}; }
  lab::Store open(lab::Access access = lab::Access::read) const { return lab::Store(file, options(access)); }
};

struct RunChoice {
  StoreChoice store;
  std::string file, memory, launcher = "local";
  u32 jobs = 0;
  u64 timeout = 0;
  bool dryRun = false, retry = false, quiet = false;
  std::string partition, account;
  std::vector<std::string> slurmOptions;

  std::vector<std::string> allSlurmOptions() const {
    std::vector<std::string> all;
    if (!partition.empty()) all.push_back("--partition=" + partition);
    if (!account.empty()) all.push_back("--account=" + account);
    all.insert(all.end(), slurmOptions.begin(), slurmOptions.end());
    return all;
  }
};

void printFailures(lab::Store& store, lab::Id experiment) {
  for (const lab::RunInfo& run : store.runs(experiment)) {
    if (run.state != lab::State::failed && run.state != lab::State::timedOut) continue;
    fmt::print(stderr, "{}: {} on {} {}\n  {}\n  {}\n", nameOf(run.state), run.program, run.machine, textOf(run.parameters), run.message,
               run.command);
  }
}

void printPlan(const lab::Plan& plan) {
  for (const lab::Cell& cell : plan.cells) fmt::print("{}\n", cell.run.command);
  fmt::print("{} runs\n", plan.cells.size());
}

int runExperiment(const RunChoice& choice) {
  if (!choice.allSlurmOptions().empty() && choice.launcher != "slurm")
    throw WrongUsage("--partition, --account and --slurm-option are of Slurm, and runs take place here", "add --launcher slurm");
  const lab::Simulator simulator = lab::thisSimulator();
  const lab::Plan plan = lab::planFile(choice.file, simulator);
  if (choice.dryRun) {
    printPlan(plan);
    return 0;
  }
  lab::SweepOptions options{.jobs = choice.jobs, .quiet = choice.quiet, .slurmOptions = choice.allSlurmOptions()};
  if (!choice.memory.empty()) options.limits.memoryBytes = lab::parseBytes(choice.memory);
  options.limits.timeout = std::chrono::seconds(choice.timeout);
  lab::Store store = choice.store.open(lab::Access::create);
  const lab::Id experiment = store.add(plan);
  if (choice.retry) store.retry(experiment);
  const bool here = choice.launcher == "local";
  if (here && options.jobs == 0) options.jobs = std::max(1U, std::thread::hardware_concurrency());
  const lab::SweepEnd end = here ? runHere(store, experiment, simulator, options) : runOnSlurm(store, experiment, simulator, options);
  const std::vector<lab::ProgramProgress> programs = store.progress(experiment);
  if (end == lab::SweepEnd::interrupted) {
    fmt::print(stderr, "warpwright: interrupted with {}; the same command goes on from here\n", progressText(programs, options.jobs));
    return kInterrupted;
  }
  if (!choice.quiet) fmt::print("{}", asText(tableOf(store, store.find(fmt::format("{}@{}", plan.experiment.name, experiment)))));
  std::fflush(stdout);  // before what follows on stderr, where both go to one place
  printFailures(store, experiment);
  fmt::print(stderr, "{}@{}: {}, in {}\n", plan.experiment.name, experiment, lab::progressText(programs, 1), choice.store.file);
  return std::any_of(programs.begin(), programs.end(), [](const auto& program) { return program.failed != 0; }) ? kSomeRunsFailed : 0;
}

void addLabRun(CLI::App& lab, int& status) {
  CLI::App* command =
      lab.add_subcommand("run", "Run what an experiment lacks: nothing is simulated twice, and an interrupted sweep goes on");
  auto choice = std::make_shared<RunChoice>();
  command->add_option("experiment", choice->file, "Experiment file")->required()->type_name("FILE.toml");
  choice->store.addTo(*command);
  command->add_option("-j,--jobs", choice->jobs, "Runs at a time; default: one a processor, or as many as Slurm allows")
      ->check(positive<u32>())
      ->type_name("N");
  command->add_option("--memory", choice->memory, "Most memory that a run may have resident, as 2G; default: no limit")
      ->check(readableBy(lab::parseBytes))
      ->type_name("SIZE");
  command->add_option("--timeout", choice->timeout, "Most seconds that a run may take; default: no limit")
      ->check(positive<u64>())
      ->type_name("S");
  command->add_option("--launcher", choice->launcher, "Where runs take place: local (default) or slurm")
      ->check(CLI::IsMember({"local", "slurm"}))
      ->type_name("NAME");
  command->add_option("--partition", choice->partition, "Slurm's partition; default: the cluster's own")->type_name("NAME");
  command->add_option("--account", choice->account, "Whom Slurm charges; default: the user's own")->type_name("NAME");
  command
      ->add_option("--slurm-option", choice->slurmOptions,
                   "A further option of sbatch, as --slurm-option=--qos=low; may be given several times")
      ->allow_extra_args(false)
      ->type_name("OPTION");
  command->add_flag("--dry-run", choice->dryRun, "Check the experiment and print its commands, without running them");
  command->add_flag("--retry", choice->retry, "Run those again that failed or took too long");
  command->add_flag("-q,--quiet", choice->quiet, "No progress, no table");
  command->callback([choice, &status] { status = runExperiment(*choice); });
}

void addTask(CLI::App& lab, int& status) {
  struct Choice {
    std::string folder;
    u32 index = 0;
  };
  // For job arrays, which start it; not for people.
  CLI::App* command = lab.add_subcommand("task", "Carry out a task of a job array")->group("");
  auto choice = std::make_shared<Choice>();
  command->add_option("folder", choice->folder)->required();
  command->add_option("index", choice->index)->required();
  command->callback(
      [choice, &status] { status = lab::runSlurmTask(choice->folder, choice->index, lab::thisSimulator()) ? 0 : kInterrupted; });
}

void printStatus(lab::Store& store, const std::string& name) {
  std::vector<std::vector<std::string>> rows = {{"experiment", "begun", "simulator", "state"}};
  for (const lab::ExperimentInfo& each : store.experiments())
    rows.push_back({fmt::format("{}@{}", each.name, each.id), each.created, each.revision.substr(0, 12),
                    lab::progressText(store.progress(each.id), 1)});
  fmt::print("{}", lab::alignedText(rows, rows.front().size()));
  if (rows.size() > 1) printFailures(store, store.find(name).id);
}

// Of a large store it takes a while.
lab::Table tableNamed(lab::Store& store, const std::string& name) {
  LongWork work("lab");
  work.begin("the table");
  return tableOf(store, store.find(name));
}

struct ExperimentChoice {
  StoreChoice store;
  std::string name;

  void addTo(CLI::App& command) {
    command.add_option("experiment", name, "NAME (the latest of that name) or NAME@NUMBER; default: the latest")->type_name("EXPERIMENT");
    store.addTo(command);
  }
};

void addStatus(CLI::App& lab, int& status) {
  CLI::App* command = lab.add_subcommand("status", "Show how far the experiments of a store are, and what failed in one of them");
  auto choice = std::make_shared<ExperimentChoice>();
  choice->addTo(*command);
  command->callback([choice, &status] {
    lab::Store store = choice->store.open();
    printStatus(store, choice->name);
    status = 0;
  });
}

void addShow(CLI::App& lab, int& status) {
  CLI::App* command = lab.add_subcommand("show", "Show an experiment's table: its columns, then their means");
  auto choice = std::make_shared<ExperimentChoice>();
  choice->addTo(*command);
  command->callback([choice, &status] {
    lab::Store store = choice->store.open();
    fmt::print("{}", asText(tableNamed(store, choice->name)));
    status = 0;
  });
}

void writeOutput(const std::string& file, const std::string& text) {
  if (file.empty()) {
    fmt::print("{}", text);
    return;
  }
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  if (!out) throw Error("cannot write '" + file + "'", {}, "name a file in a writable folder, on a disk with room");
}

void addExport(CLI::App& lab, int& status) {
  CLI::App* command = lab.add_subcommand("export", "Write an experiment's table as CSV, or as JSON with its means");
  struct Choice : ExperimentChoice {
    bool csv = false, json = false;
    std::string output;
  };
  auto choice = std::make_shared<Choice>();
  choice->addTo(*command);
  CLI::Option* csv = command->add_flag("--csv", choice->csv, "As CSV (default)");
  command->add_flag("--json", choice->json, "As JSON")->excludes(csv);
  command->add_option("-o,--output", choice->output, "File; default: standard output")->type_name("FILE");
  command->callback([choice, &status] {
    lab::Store store = choice->store.open();
    const lab::Table table = tableNamed(store, choice->name);
    writeOutput(choice->output, choice->json ? asJson(table) : asCsv(table));
    status = 0;
  });
}

// "after.db", "after.db:caches@3", "caches@3" in the store of --db.
struct Side {
  std::string file, name;
};

Side sideOf(const std::string& text, const std::string& defaultFile) {
  const std::size_t end = text.rfind(".db");
  if (end == std::string::npos) return {defaultFile, text};
  const std::string rest = text.substr(end + 3);
  return {text.substr(0, end + 3), rest.empty() ? rest : rest.substr(1)};
}

void addCompare(CLI::App& lab, int& status) {
  CLI::App* command = lab.add_subcommand("compare", "Show which statistics differ between two experiments; exit status 1 when some do");
  struct Choice {
    StoreChoice store;
    std::string left, right;
    bool all = false;
  };
  auto choice = std::make_shared<Choice>();
  for (auto [name, side] : {std::pair{"first", &choice->left}, std::pair{"second", &choice->right}})
    command->add_option(name, *side, "EXPERIMENT, FILE.db (its latest) or FILE.db:EXPERIMENT")->required()->type_name("EXPERIMENT");
  choice->store.addTo(*command);
  command->add_flag("--all", choice->all, "Every metric that differs, not only the ten that differ most");
  command->callback([choice, &status] {
    constexpr u64 kMost = 10;
    const Side left = sideOf(choice->left, choice->store.file), right = sideOf(choice->right, choice->store.file);
    const lab::OpenOptions reading = choice->store.options(lab::Access::read);
    lab::Store leftStore(left.file, reading), rightStore(right.file, reading);
    LongWork work("lab");
    work.begin("the comparison");
    const lab::Comparison found = compare(leftStore, leftStore.find(left.name), rightStore, rightStore.find(right.name));
    work.rest();
    fmt::print("{}", asText(found, choice->all ? 0 : kMost));
    status = found.changes.empty() && found.onlyLeft.empty() && found.onlyRight.empty() ? 0 : 1;
  });
}

void addMetrics(CLI::App& lab, int& status) {
  lab.add_subcommand("metrics", "List the metrics that experiments may name")->callback([&status] {
    for (const std::string& name : lab::metricNames()) fmt::print("{}\n", name);
    status = 0;
  });
}

}  // namespace

void addLab(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand("lab", "Run experiments over many programs, machines and parameters, and keep what came of them");
  command->require_subcommand(1);
  command->footer(kLabExamples);
  addLabRun(*command, status);
  addStatus(*command, status);
  addShow(*command, status);
  addExport(*command, status);
  addCompare(*command, status);
  addMetrics(*command, status);
  addTask(*command, status);
}

}  // namespace warpwright::cli
