#include "lab/experiment/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>

#include "base/file.hpp"
#include "cc/driver/process.hpp"
#include "config/files.hpp"
#include "config/machine.hpp"
#include "lab/experiment/plugins.hpp"
#include "lab/experiment/register_range.hpp"
#include "lab/experiment/run_options.hpp"
#include "lab/experiment/spe.hpp"
#include "lab/identity/hash.hpp"

namespace warpwright::lab {
namespace {

namespace fs = std::filesystem;

// A machine with one combination of the swept keys.
struct Configuration {
  config::Machine machine;  // says nothing where it is an SPE
  std::string name, text, hash;
  std::vector<std::string> words;  // of the command line
};

struct ProgramFile {
  std::string path, hash;
};

std::vector<std::string> overridesOf(const Settings& settings) {
  std::vector<std::string> overrides;
  for (const Setting& setting : settings) overrides.push_back(setting.name + "=" + setting.value);
  return overrides;
}

class Planner {
 public:
  Planner(const Experiment& experiment, const Simulator& simulator, Mistakes& mistakes)
      : experiment_(experiment), simulator_(simulator), mistakes_(mistakes), folder_(fs::absolute(experiment.file).parent_path().string()) {
    mistakes_.collect({}, [&] { plugins_ = pluginSettings(); });
  }

  Plan make() {
    const std::vector<Settings> points = combinations();
    for (const Program& program : experiment_.programs)
      for (const MachineChoice& machine : experiment_.machines)
        for (const Settings& point : points) addAt(program, machine, point);
    Hasher hasher;
    hasher.add(experiment_.name).add(experiment_.text);
    for (const Cell& cell : cells_) hasher.add(cell.run.key);
    return {experiment_, simulator_, std::move(cells_), hasher.hex()};
  }

 private:
  // Every combination of the swept values; a single empty one where nothing is swept.
  std::vector<Settings> combinations() const {
    std::vector<Settings> points = {{}};
    for (const Sweep& sweep : experiment_.sweeps) {
      std::vector<Settings> longer;
      for (const Settings& point : points)
        for (const std::string& value : sweep.values) {
          longer.push_back(point);
          longer.back().push_back({sweep.name, value});
        }
      points = std::move(longer);
    }
    return points;
  }

  void addAt(const Program& program, const MachineChoice& machine, const Settings& point) {
    const ProgramFile* file = locate(program, point);
    const Configuration* configuration = configure(machine, point);
    if (file == nullptr || configuration == nullptr) return;
    if (isSpe(program.run) != isSpe(machine.machine)) return mistakes_.add(mismatch(program, machine));
    const auto registers = std::find_if(point.begin(), point.end(),
                                        [](const Setting& each) { return each.value == kBaseToMinimum && each.name == kMaxRegisters; });
    if (registers == point.end()) return add(program, *file, machine, *configuration, point);
    Settings single = point;
    Setting& number = single[static_cast<std::size_t>(registers - point.begin())];
    mistakes_.collect(program.where, [&] {
      for (const u32 each : baseToMinimum(program, *file, *configuration, point)) {
        number.value = std::to_string(each);
        add(program, *file, machine, *configuration, single);
      }
    });
  }

  static Error mismatch(const Program& program, const MachineChoice& machine) {
    const bool isOfSpe = isSpe(program.run);
    return Error(fmt::format("'{}' is a program {} and '{}' is {}", program.run, isOfSpe ? "for an SPE," : "of CUDA,", machine.machine,
                             isOfSpe ? "a GPU" : "an SPE"),
                 program.where, "an experiment has GPUs and programs of CUDA, or SPEs (spe:sams) and their programs (spe:transpose)");
  }

  const std::vector<u32>& baseToMinimum(const Program& program, const ProgramFile& file, const Configuration& configuration,
                                        const Settings& point) {
    const std::string policy = optionAt(point, "spill_first", "distant");
    const std::string key = fmt::format("{} {} {} {}", program.label, file.hash, configuration.hash, policy);
    const auto known = ranges_.find(key);
    if (known != ranges_.end()) return known->second;
    return ranges_[key] = lab::baseToMinimum(file.path, program.kernels, configuration.machine, policy);
  }

  // What an option of the run is at a point of the sweep.
  std::string optionAt(const Settings& point, std::string_view name, std::string otherwise) const {
    for (const Settings* settings : {&experiment_.options, &point})
      for (const Setting& setting : *settings)
        if (setting.name == name) otherwise = setting.value;
    return otherwise;
  }

  // Nothing when there is no such program; the mistake is told once.
  const ProgramFile* locate(const Program& program, const Settings& point) {
    const std::string bits = optionAt(point, "address_bits", "64");
    const std::string name = bits + " " + program.label;
    if (const auto known = programs_.find(name); known != programs_.end()) return known->second ? &*known->second : nullptr;
    std::optional<ProgramFile>& file = programs_[name];
    mistakes_.collect(program.where, [&] {
      if (isSpe(program.run)) {
        requireSpeProgram(program.run);
        Hasher hasher;
        file = ProgramFile{program.run, hasher.add(simulator_.revision).add(program.run).hex()};
        return;
      }
      const std::string path = findProgram(program.run, bits, folder_, simulator_);
      file = ProgramFile{path, hashOfFile(path)};
    });
    return file ? &*file : nullptr;
  }

  // Nothing when the machine is refused; the mistake is told once.
  const Configuration* configure(const MachineChoice& choice, const Settings& point) {
    Settings settings = choice.settings;
    for (const Setting& setting : point)
      if (kindOf(setting.name) == ParameterKind::machineKey) settings.push_back(setting);
    const std::string name = choice.label + " " + textOf(settings);
    if (const auto known = configurations_.find(name); known != configurations_.end()) return known->second ? &*known->second : nullptr;
    std::optional<Configuration>& entry = configurations_[name];
    mistakes_.collect(choice.where, [&] {
      try {
        entry = load(choice, settings);
      } catch (const Error& error) {
        for (const std::string& override : overridesOf(settings))
          if (error.where().file == config::sourceOfOverride(override))
            throw Error(error.message(), whereOf(override, choice), error.remedy());
        throw;
      }
    });
    return entry ? &*entry : nullptr;
  }

  // Where the experiment says "l1d.ways=8".
  SourcePosition whereOf(const std::string& setting, const MachineChoice& choice) const {
    for (const Sweep& sweep : experiment_.sweeps)
      for (const std::string& value : sweep.values)
        if (setting == sweep.name + "=" + value) return sweep.where;
    return choice.where;
  }

  Configuration load(const MachineChoice& choice, const Settings& settings) const {
    if (isSpe(choice.machine)) {
      const std::string text = speConfiguration(choice.machine, settings);
      return {{}, choice.machine, text, hashOf(text), speWords(text)};
    }
    const std::string file = config::machineFile(choice.machine, folder_).string();
    const std::vector<std::string> overrides = overridesOf(settings);
    const config::Machine machine = config::parseMachine(config::readMachineText(file), file, overrides);
    Configuration result{
        machine, machine.name, config::toToml(machine), {}, {"--machine", choice.machine == machine.name ? machine.name : file}};
    result.hash = hashOf(result.text);
    for (const std::string& override : overrides) result.words.insert(result.words.end(), {"--set", override});
    return result;
  }

  void add(const Program& program, const ProgramFile& file, const MachineChoice& machine, const Configuration& configuration,
           const Settings& point) {
    RunSpec run{.program = file.path, .programHash = file.hash, .machine = configuration.name};
    for (const std::string& argument : program.arguments) run.arguments.push_back(argumentOf(argument));
    run.configuration = configuration.text;
    run.configurationHash = configuration.hash;
    run.options = experiment_.options;
    for (const Setting& setting : point) {
      if (kindOf(setting.name) == ParameterKind::argument)
        run.arguments.insert(run.arguments.end(), {setting.name, argumentOf(setting.value)});
      if (kindOf(setting.name) == ParameterKind::runOption) replace(run.options, setting);
    }
    if (isSpe(run.program)) refuseWhatSpesDoNotTake(program, run);
    run.options.insert(run.options.end(), plugins_.begin(), plugins_.end());
    std::sort(run.options.begin(), run.options.end(), [](const Setting& a, const Setting& b) { return a.name < b.name; });
    run.key = keyOf(run);
    shareTimes(run);
    run.command = commandOf(run, configuration);
    cells_.push_back({std::move(run), program.label, program.application, machine.label, point});
  }

  // Runs that differ in `sample_part` alone keep the times of their launches in one folder, in that which the experiment names.
  void shareTimes(RunSpec& run) const {
    const auto times = std::find_if(run.options.begin(), run.options.end(), [](const Setting& each) { return each.name == kSampleTimes; });
    if (times == run.options.end()) return;
    Hasher hasher;
    hasher.add(run.programHash).add(run.configurationHash);
    for (const std::string& argument : run.arguments) hasher.add(argument);
    for (const Setting& option : run.options)
      if (option.name != kSamplePart && option.name != kSampleTimes) hasher.add(option.name).add(option.value);
    times->value =
        (fs::path(folder_) / times->value / fmt::format("{}-{}", fs::path(run.program).filename().string(), hasher.hex().substr(0, 16)))
            .string();
  }

  void refuseWhatSpesDoNotTake(const Program& program, const RunSpec& run) {
    const std::string remedy = "`warpwright spe machines` lists what an SPE takes";
    for (const Setting& option : run.options)
      mistakes_.add(Error(fmt::format("a run on an SPE has no option '{}'", option.name), program.where, remedy));
    for (const std::string& argument : run.arguments)
      mistakes_.add(Error(fmt::format("'{}' takes no argument '{}'", program.run, argument), program.where, remedy));
  }

  static void replace(Settings& options, const Setting& setting) {
    std::erase_if(options, [&](const Setting& other) { return other.name == setting.name; });
    options.push_back(setting);
  }

  std::string keyOf(const RunSpec& run) {
    Hasher hasher;
    hasher.add(simulator_.revision).add(run.programHash).add(run.configurationHash);
    for (const std::string& argument : run.arguments) hasher.add(argument).add(contentOf(argument));
    hasher.add("options");
    // Of plug-ins the content counts, wherever they lie.
    for (const Setting& option : run.options)
      if (option.name != kPluginFiles) hasher.add(option.name).add(option.value);
    return hasher.hex();
  }

  // A path in the arguments starts at the experiment's folder, wherever the run takes place.
  std::string argumentOf(const std::string& argument) const {
    const fs::path file = fs::path(folder_) / argument;
    return isFile(argument, file) ? fs::weakly_canonical(file).string() : argument;
  }

  static bool isFile(const std::string& argument, const fs::path& file) {
    std::error_code failed;
    return argument.find('/') != std::string::npos && fs::is_regular_file(file, failed);
  }

  // A file in the arguments stands for what is in it.
  std::string contentOf(const std::string& argument) {
    if (!isFile(argument, argument)) return {};
    std::string& hash = files_[argument];
    if (hash.empty()) hash = hashOfFile(argument);
    return hash;
  }

  std::string commandOf(const RunSpec& run, const Configuration& configuration) const {
    if (isSpe(run.program)) {
      std::vector<std::string> words = {"warpwright", "spe", "run", speName(run.program)};
      words.insert(words.end(), configuration.words.begin(), configuration.words.end());
      return cc::quoted(words);
    }
    std::vector<std::string> words = {"warpwright", "run"};
    words.insert(words.end(), configuration.words.begin(), configuration.words.end());
    const std::vector<std::string> options = wordsOf(run.options, "series.csv");
    words.insert(words.end(), options.begin(), options.end());
    words.push_back(run.program);
    words.insert(words.end(), run.arguments.begin(), run.arguments.end());
    return cc::quoted(words);
  }

  const Experiment& experiment_;
  const Simulator& simulator_;
  Mistakes& mistakes_;
  std::string folder_;
  Settings plugins_;  // of every run
  std::map<std::string, std::optional<Configuration>> configurations_;
  std::map<std::string, std::optional<ProgramFile>> programs_;  // by width of addresses and label
  std::map<std::string, std::vector<u32>> ranges_;              // of registers, by all that they depend on
  std::map<std::string, std::string> files_;                    // hash by argument
  std::vector<Cell> cells_;
};

}  // namespace

Plan plan(const Experiment& experiment, const Simulator& simulator, Mistakes& mistakes) {
  return Planner(experiment, simulator, mistakes).make();
}

Plan planFile(const std::string& file, const Simulator& simulator) {
  Mistakes mistakes;
  const Experiment experiment = parseExperiment(readFile(file), file, mistakes);
  Plan result = plan(experiment, simulator, mistakes);
  mistakes.report();
  return result;
}

}  // namespace warpwright::lab
