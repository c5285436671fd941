#include "cli/simulation_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "cli/checks.hpp"
#include "machines/energy/model.hpp"
#include "mechanisms/mechanism.hpp"
#include "plugins/load.hpp"
#include "runtime/added_code.hpp"
#include "runtime/environment.hpp"
#include "runtime/fast_forward.hpp"

namespace warpwright::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kUsualError = "3%";

void set(const runtime::EnvironmentVariable& variable, const std::string& value) {
  if (!value.empty()) setenv(variable.name, value.c_str(), 1);
}

// What a machine file holds may be without effect in a functional run; what was asked for here may not.
void refuseTimedMechanisms(const config::Machine& machine, const std::vector<std::string>& overrides) {
  for (const auto& [kind, settings] : machine.mechanisms.all()) {
    const std::string override = fmt::format("mechanism.{}=true", kind->name);
    if (!kind->timed || std::find(overrides.begin(), overrides.end(), override) == overrides.end()) continue;
    throw Error(fmt::format("the mechanism '{}' acts on the timed machine only, and this run is functional", kind->name),
                {config::sourceOfOverride(override), 0, 0}, "name a machine with --machine, and leave --functional out");
  }
}

// What is asked for must have an effect, and be possible, before the program begins.
void requireEnergy() {
  const runtime::Environment environment = runtime::readEnvironment();
  if (!environment.timing)
    throw Error("energy is of timed kernels, and this run is functional", {"--energy", 0, 0},
                "name a machine with --machine, and leave --functional out");
  machines::EnergyModel(energy::loadTable(environment.energyTable), config::loadMachine(environment.machine, environment.overrides));
}

// What cannot be written would be lost after a long run.
void requireFolders(const SimulationOptions& options) {
  const std::pair<const char*, const std::string*> files[] = {{"--json", &options.json},     {"--csv", &options.csv},
                                                              {"--trace", &options.trace},   {"--konata", &options.konata},
                                                              {"--series", &options.series}, {"--checkpoint", &options.checkpoint}};
  for (const auto& [option, file] : files) {
    if (file->empty()) continue;
    const fs::path folder = fs::absolute(*file).parent_path();
    std::error_code failed;
    if (fs::is_directory(folder, failed)) continue;
    throw Error(fmt::format("cannot write '{}': there is no folder '{}'", *file, folder.string()), {option, 0, 0},
                "name a file in a folder");
  }
}

// A program whose code does not load may not say why: what mechanisms add to it is compiled before it begins.
void requireAddedCode() {
  constexpr u32 kUsualBits = 64;
  const runtime::Settings settings = runtime::settingsFrom(runtime::readEnvironment(), kUsualBits);
  runtime::checkAddedCode(settings.makeMechanisms(settings.machine), settings, runtime::Width::any);
}

}  // namespace

void addOverrides(CLI::App& command, std::vector<std::string>& overrides) {
  command.add_option("--set", overrides, "Change a key of the machine (docs/machines.md); may be given several times")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  // Settings may be those of a mechanism, so mechanisms come before them.
  const auto choose = [&overrides](const std::vector<std::string>& names) {
    for (auto name = names.rbegin(); name != names.rend(); ++name) overrides.insert(overrides.begin(), "mechanism." + *name + "=true");
  };
  command.add_option_function<std::vector<std::string>>("--mechanism", choose, "Add mechanisms to the machine (docs/mechanisms.md)")
      ->type_name("NAME,…")
      ->delimiter(',')
      ->allow_extra_args(false);
}

namespace {

void addMechanismOptions(CLI::App& command, std::vector<std::string>& overrides) {
  for (const mechanisms::Kind* kind : mechanisms::catalogue()) {
    if (kind->option == nullptr) continue;
    // The program may change its folder before it loads its code.
    const auto choose = [kind, &overrides](const std::vector<std::string>& files) {
      std::vector<std::string> paths;
      for (const std::string& file : files) paths.push_back(fs::absolute(file).string());
      const std::string setting = fmt::format("mechanism.{}.{}={}", kind->description.name, kind->option->setting, fmt::join(paths, ","));
      overrides.insert(overrides.begin(), {fmt::format("mechanism.{}=true", kind->description.name), setting});
    };
    command.add_option_function<std::vector<std::string>>(std::string(kind->option->name), choose, std::string(kind->option->text))
        ->type_name(std::string(kind->option->value))
        ->delimiter(',')
        ->allow_extra_args(false);
  }
}

}  // namespace

void addRegisterOptions(CLI::App& command, u32& maxRegisters, std::string& spillFirst) {
  command.add_option("--max-registers", maxRegisters, "Upper bound for the registers of a thread; the rest is spilled to local memory")
      ->check(positive<u32>())
      ->type_name("N");
  command.add_option("--spill-first", spillFirst, "What is spilled first: distant (what is read latest; default) or affine")
      ->check(CLI::IsMember({"distant", "affine"}))
      ->type_name("POLICY");
}

void SimulationOptions::addTiming(CLI::App& command) {
  CLI::Option* timedFlag =
      command.add_flag("--timed", timed, "Simulate every cycle; the default with --machine, where the machine describes its timing");
  command.add_flag("--functional", functional, "Compute results and the profile only, without time")->excludes(timedFlag);
  addSimulation(command);
}

void SimulationOptions::addSimulation(CLI::App& command) {
  command.add_option("--threads", threads, "Host threads of a timed simulation; the results are the same with any number")
      ->check(CLI::Range(1, 1024))
      ->type_name("N");
  command.add_flag("--no-skip", noSkip, "Simulate idle cycles one by one: slower, with the same results");
  command.add_option("--max-cycles", maxCycles, "Stop a timed kernel after so many cycles")->check(positive<u64>())->type_name("N");
}

void SimulationOptions::addTraces(CLI::App& command) {
  command.add_option("--trace", trace, "Write a trace of the timed machine to FILE, for Perfetto")->type_name("FILE");
  command.add_option("--konata", konata, "Write a pipeline log to FILE, for Konata")->type_name("FILE");
  command.add_option("--trace-window", traceWindow, "Core cycles that traces and the PC histogram show; either may be left out")
      ->check(readableBy(runtime::parseTraceWindow))
      ->type_name("FROM:TO");
  command.add_option("--series", series, "Write the counters over time to FILE, as CSV")->type_name("FILE");
  command.add_option("--interval", interval, "Core cycles of a row of the series; default 1000")->check(positive<u64>())->type_name("N");
  CLI::Option* pcs = command
                         .add_option("--pc-histogram", pcHistogram,
                                     "Count at which instructions the threads of SM stand over time, or of one BLOCK of each grid there")
                         ->check(readableBy(machines::parsePcHistogram))
                         ->type_name("SM[:BLOCK]");
  command.add_option("--pc-interval", pcInterval, "Core cycles of a sample of the PC histogram; default 128")
      ->check(positive<u64>())
      ->needs(pcs)
      ->type_name("N");
  command.add_option("--energy", energy, "Account for the energy of timed kernels with the costs of a table: 40nm, 28nm, … or a file")
      ->type_name("NAME|FILE.toml");
}

// What of a program is simulated in detail.
void SimulationOptions::addParts(CLI::App& command) {
  command.add_option("--functional-until", functionalUntil, "Only compute the launches before the first, or N-th, of KERNEL")
      ->check(readableBy([](const std::string& until) { runtime::FastForward{until}; }))
      ->type_name("KERNEL[#N]");
  CLI::Option* sampleFlag =
      command.add_flag("--sample", sample, "Execute everything and time a part: as many launches and blocks as --error asks for");
  command.add_option("--error", sampleError, "How far the cycles of a sampled program may be off, with 95 % confidence; default 3%")
      ->check(readableBy(runtime::parseSampleError))
      ->needs(sampleFlag)
      ->type_name("P%");
  CLI::Option* times =
      command
          .add_option("--sample-times", sampleTimes,
                      "Keep what each launch takes that is timed in FOLDER, on a machine of its own, and time none that FOLDER knows")
          ->needs(sampleFlag)
          ->type_name("FOLDER");
  command.add_option("--sample-part", samplePart, "Of the launches that must be timed, time the K-th of N shares; others may do the rest")
      ->check(readableBy(runtime::parseSamplePart))
      ->needs(times)
      ->type_name("K/N");
  command
      .add_option("--sample-blocks", sampleBlocks,
                  "Simulate the first N blocks, or P percent, of each timed launch in detail, whatever the error")
      ->check(readableBy(machines::parseBlockSample))
      ->type_name("N|P%");
  command.add_option("--checkpoint", checkpoint, "Record the launches from where time begins in FILE, for `warpwright replay`")
      ->type_name("FILE");
}

void SimulationOptions::addMachine(CLI::App& command) {
  command.add_option("-m,--machine", machine, "Machine to simulate: a preset (see `warpwright machines`) or a file; default v100")
      ->type_name("NAME|FILE.toml");
  addOverrides(command, overrides);
}

void SimulationOptions::addReports(CLI::App& command) {
  command.add_option("--json", json, "Also write the profile to FILE, as JSON")->type_name("FILE");
  command.add_option("--csv", csv, "Write the timing of each timed launch to FILE, as CSV")->type_name("FILE");
  command.add_option("--max-seconds", maxSeconds, "Stop a kernel after so many seconds of the host, and say where its threads are")
      ->check(positive<u64>())
      ->type_name("N");
  command.add_flag("--lines", lines, "Also print the profile per source line (compile with -lineinfo)");
  command.add_flag("-q,--quiet", quiet, "Print no profile and no progress; why something failed is printed all the same");
}

void SimulationOptions::addForRecorded(CLI::App& command) {
  addMachine(command);
  addReports(command);
  addSimulation(command);
  addTraces(command);
}

void SimulationOptions::addTo(CLI::App& command) {
  addMachine(command);
  addMechanismOptions(command, overrides);
  addReports(command);
  command.add_flag("--data", data, "Also print what the arrays of each kernel hold, and how well it compresses");
  command.add_option("--check", check, "Further checks, separated by commas: uninitialised, races, synchronisation, neighbours, all")
      ->check(readableBy(runtime::parseChecks))
      ->type_name("LIST");
  command
      .add_option("--on-fault", onFault, "What a kernel does that accesses memory out of bounds: stop (default), or go on with a warning")
      ->check(CLI::IsMember({"stop", "warn"}))
      ->type_name("stop|warn");
  command.add_option("--address-bits", addressBits, "Width of device addresses; default: as the code was compiled")
      ->check(CLI::IsMember({32, 64}))
      ->type_name("32|64");
  addRegisterOptions(command, maxRegisters, spillFirst);
  addTiming(command);
  addTraces(command);
  addParts(command);
  command
      .add_option("--inject", inject, "Flip bits of what kernels compute (docs/fault-injection.md): seed=1,rate=1e-6,in=result+register")
      ->check(readableBy(runtime::parseInjection))
      ->type_name("KEY=VALUE,…");
  command.add_option("--dump", dump, "Write the PTX and the machine code of each module to FOLDER")->type_name("FOLDER");
}

void SimulationOptions::exportToEnvironment() const {
  if (!machine.empty() || !overrides.empty() || timed) {
    const config::Machine chosen = config::loadMachine(machine.empty() ? runtime::readEnvironment().machine : machine, overrides);
    if (timed) config::requireTimed(chosen);
    const bool isTimed = timed || (!functional && !machine.empty() && chosen.timed);
    if (isTimed) set(runtime::kTimedVariable, "1");
    if (!isTimed) refuseTimedMechanisms(chosen, overrides);
  }
  if (functional) set(runtime::kTimedVariable, "0");
  set(runtime::kThreadsVariable, threads == 0 ? "" : std::to_string(threads));
  set(runtime::kNoSkipVariable, noSkip ? "1" : "");
  set(runtime::kMaxSecondsVariable, maxSeconds == 0 ? "" : std::to_string(maxSeconds));
  set(runtime::kMaxCyclesVariable, maxCycles == 0 ? "" : std::to_string(maxCycles));
  const auto absolute = [](const std::string& file) { return file.empty() ? file : std::filesystem::absolute(file).string(); };
  set(runtime::kTraceVariable, absolute(trace));
  set(runtime::kKonataVariable, absolute(konata));
  set(runtime::kSeriesVariable, absolute(series));
  set(runtime::kTraceWindowVariable, traceWindow);
  set(runtime::kIntervalVariable, interval == 0 ? "" : std::to_string(interval));
  set(runtime::kPcHistogramVariable, pcHistogram);
  set(runtime::kPcIntervalVariable, pcInterval == 0 ? "" : std::to_string(pcInterval));
  set(runtime::kEnergyVariable, energy.ends_with(".toml") ? absolute(energy) : energy);
  set(runtime::kFunctionalUntilVariable, functionalUntil);
  set(runtime::kSampleBlocksVariable, sampleBlocks);
  if (sample) set(runtime::kSampleVariable, sampleError.empty() ? kUsualError : sampleError);
  set(runtime::kSampleTimesVariable, absolute(sampleTimes));
  set(runtime::kSamplePartVariable, samplePart);
  set(runtime::kCheckpointVariable, absolute(checkpoint));
  set(runtime::kMachineVariable, machine);
  set(runtime::kDevicesVariable, devices == 0 ? "" : std::to_string(devices));
  set(runtime::kSetVariable, fmt::format("{}", fmt::join(overrides, ";")));
  // The program may change its folder before the profile is written.
  set(runtime::kJsonVariable, json.empty() ? json : std::filesystem::absolute(json).string());
  set(runtime::kCsvVariable, csv.empty() ? csv : std::filesystem::absolute(csv).string());
  set(runtime::kCheckVariable, check);
  set(runtime::kOnFaultVariable, onFault);
  set(runtime::kDumpVariable, dump.empty() ? dump : std::filesystem::absolute(dump).string());
  set(runtime::kLinesVariable, lines ? "1" : "");
  set(runtime::kKernelVariable, kernel);
  set(runtime::kDataVariable, data ? "1" : "");
  set(runtime::kQuietVariable, quiet ? "1" : "");
  set(runtime::kMaxRegistersVariable, maxRegisters == 0 ? "" : std::to_string(maxRegisters));
  set(runtime::kSpillFirstVariable, spillFirst);
  set(runtime::kInjectVariable, inject);
  set(runtime::kAddressBitsVariable, addressBits == 0 ? "" : std::to_string(addressBits));
  requireFolders(*this);
  requireAddedCode();
  if (!energy.empty()) requireEnergy();
  if (sample && !runtime::readEnvironment().timing)
    throw Error("a sample is of what takes time, and this run is functional", {"--sample", 0, 0},
                "name a machine with --machine, and leave --functional out");
  if (!pcHistogram.empty() && !runtime::readEnvironment().timing)
    throw Error("a PC histogram is of threads over time, and this run is functional", {"--pc-histogram", 0, 0},
                "name a machine with --machine, and leave --functional out");
}

std::string environmentHelp() {
  std::string text = "Settings from the environment (options go first):\n";
  for (const auto& variable : runtime::kVariables) text += fmt::format("  {}={}\n      {}\n", variable.name, variable.value, variable.text);
  text += fmt::format("  {}=FILE.so:…\n      load plug-ins, whose mechanisms machines may have (docs/plugins.md)\n", plugins::kVariable);
  return text;
}

}  // namespace warpwright::cli
