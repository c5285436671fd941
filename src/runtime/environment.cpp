#include "runtime/environment.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <filesystem>

#include "base/error.hpp"
#include "base/nearest.hpp"
#include "machines/energy/model.hpp"
#include "plugins/load.hpp"
#include "runtime/fast_forward.hpp"

namespace warpwright::runtime {
namespace {

std::string valueOf(const EnvironmentVariable& variable) {
  const char* value = std::getenv(variable.name);
  return value ? value : "";
}

[[noreturn]] void refuse(const EnvironmentVariable& variable, const std::string& value) {
  throw Error(fmt::format("{}={}", variable.name, value), {}, fmt::format("set it to {}: {}", variable.value, variable.text));
}

// What `parse` reads from the value; nothing: there is none. What it refuses is said with the variable's name.
template <class Parse>
auto parsed(const EnvironmentVariable& variable, Parse parse) -> std::optional<decltype(parse(std::string{}))> {
  const std::string value = valueOf(variable);
  if (value.empty()) return std::nullopt;
  try {
    return parse(value);
  } catch (const Error& error) {
    throw Error(fmt::format("{}={}: {}", variable.name, value, error.message()), error.where(), error.remedy());
  }
}

bool switchOf(const EnvironmentVariable& variable) {
  const std::string value = valueOf(variable);
  if (value.empty() || value == "0") return false;
  if (value == "1") return true;
  refuse(variable, value);
}

std::optional<u32> addressBits() {
  const std::string value = valueOf(kAddressBitsVariable);
  if (value.empty()) return std::nullopt;
  if (value == "32") return 32;
  if (value == "64") return 64;
  refuse(kAddressBitsVariable, value);
}

u32 maxRegisters() {
  const std::string value = valueOf(kMaxRegistersVariable);
  if (value.empty()) return isa::kMaxRegisters;
  u32 number = 0;
  const auto [end, code] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (code != std::errc{} || end != value.data() + value.size() || number == 0) refuse(kMaxRegistersVariable, value);
  return number;
}

struct NamedCheck {
  const char* name;
  bool exec::Checks::*enabled;
};
constexpr NamedCheck kChecks[] = {
    {"uninitialised", &exec::Checks::uninitialised},
    {"races", &exec::Checks::races},
    {"synchronisation", &exec::Checks::synchronisation},
    {"neighbours", &exec::Checks::neighbours},
};

void enable(exec::Checks& checks, std::string name) {
  if (name == "none") return;
  // Both ways of spelling are taken.
  if (name == "uninitialized") name = "uninitialised";
  if (name == "synchronization") name = "synchronisation";
  if (name == "neighbors") name = "neighbours";
  bool found = false;
  for (const NamedCheck& each : kChecks) {
    if (name != "all" && name != each.name) continue;
    checks.*each.enabled = found = true;
  }
  if (found) return;
  std::vector<std::string> known{"all", "none"};
  for (const NamedCheck& each : kChecks) known.emplace_back(each.name);
  const std::string near = nearestName(name, known);
  throw Error("unknown check '" + name + "'", {},
              near.empty() ? fmt::format("the checks are: {}", fmt::join(known, ", ")) : "did you mean '" + near + "'?");
}

std::vector<std::string> splitOverrides(std::string_view list) {
  std::vector<std::string> result;
  while (!list.empty()) {
    const auto end = list.find(';');
    if (const auto one = list.substr(0, end); !one.empty()) result.emplace_back(one);
    list = end == std::string_view::npos ? std::string_view{} : list.substr(end + 1);
  }
  return result;
}

// out.json → out.MARK.json.
std::string markedFile(const std::string& file, const std::string& mark) {
  const std::filesystem::path path(file);
  std::filesystem::path name = path.stem();
  name += "." + mark;
  name += path.extension();
  return (path.parent_path() / name).string();
}

}  // namespace

exec::Checks parseChecks(std::string_view list) {
  exec::Checks checks;
  while (!list.empty()) {
    const auto comma = list.find(',');
    const auto name = list.substr(0, comma);
    if (!name.empty()) enable(checks, std::string(name));
    list = comma == std::string_view::npos ? std::string_view{} : list.substr(comma + 1);
  }
  return checks;
}

exec::OnFault parseOnFault(std::string_view name) {
  if (name == "stop") return exec::OnFault::stop;
  if (name == "warn") return exec::OnFault::warn;
  throw Error(fmt::format("a kernel at fault cannot be told to '{}'", name), {}, "it may: stop, warn");
}

machines::trace::Window parseTraceWindow(const std::string& text) {
  machines::trace::Window window;
  const std::size_t colon = text.find(':');
  const auto isRead = [](std::string_view digits, Cycle& into) {
    if (digits.empty()) return true;
    const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), into.ticks);
    return code == std::errc{} && end == digits.data() + digits.size();
  };
  const bool isWindow = colon != std::string::npos && isRead(std::string_view(text).substr(0, colon), window.from) &&
                        isRead(std::string_view(text).substr(colon + 1), window.until);
  if (!isWindow || window.from >= window.until)
    throw Error("cannot read '" + text + "' as a window of core cycles", {}, "write FROM:TO (1000:2000), of which either may be left out");
  return window;
}

double parseSampleError(const std::string& text) {
  double percent = 0;
  const char* const end = text.data() + text.size() - (text.ends_with('%') ? 1 : 0);
  const auto [rest, code] = std::from_chars(text.data(), end, percent);
  if (code != std::errc{} || rest != end || !text.ends_with('%') || !(percent > 0 && percent <= 100))
    throw Error("cannot read '" + text + "' as an error", {}, "write a share above 0 % and of 100 % at most (3%)");
  return percent / 100;
}

compiler::SpillPolicy parseSpillPolicy(std::string_view name) {
  if (name == "distant") return compiler::SpillPolicy::standard;
  if (name == "affine") return compiler::SpillPolicy::affineFirst;
  throw Error(fmt::format("unknown spill policy '{}'", name), {}, "the policies are: distant, affine");
}

namespace {

std::optional<u64> numberOf(const EnvironmentVariable& variable) {
  const std::string value = valueOf(variable);
  if (value.empty()) return std::nullopt;
  u64 number = 0;
  const auto [end, failure] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (failure != std::errc{} || end != value.data() + value.size() || number == 0) refuse(variable, value);
  return number;
}

std::optional<machines::TimingOptions> timingOptions(bool lines) {
  if (!switchOf(kTimedVariable)) return std::nullopt;
  constexpr u64 kMostThreads = 1024;
  machines::TimingOptions options;
  const u64 threads = numberOf(kThreadsVariable).value_or(1);
  if (threads > kMostThreads) refuse(kThreadsVariable, std::to_string(threads));
  options.threads = static_cast<u32>(threads);
  options.skip = !switchOf(kNoSkipVariable);
  options.lines = lines;
  if (const auto most = numberOf(kMaxCyclesVariable)) options.most = Cycle{*most};
  return options;
}

machines::trace::Settings traceSettings() {
  machines::trace::Settings settings;
  settings.chromeFile = valueOf(kTraceVariable);
  settings.konataFile = valueOf(kKonataVariable);
  settings.seriesFile = valueOf(kSeriesVariable);
  if (const auto window = parsed(kTraceWindowVariable, parseTraceWindow)) settings.window = *window;
  settings.interval = numberOf(kIntervalVariable).value_or(settings.interval);
  return settings;
}

std::optional<machines::PcHistogramSettings> pcHistogramSettings() {
  std::optional<machines::PcHistogramSettings> settings = parsed(kPcHistogramVariable, machines::parsePcHistogram);
  if (settings) settings->interval = numberOf(kPcIntervalVariable).value_or(settings->interval);
  return settings;
}

u32 devices() {
  constexpr u64 kMost = 16;
  const u64 count = numberOf(kDevicesVariable).value_or(1);
  if (count > kMost) refuse(kDevicesVariable, std::to_string(count));
  return static_cast<u32>(count);
}

}  // namespace

Environment readEnvironment() {
  Environment result;
  result.devices = devices();
  if (const std::string machine = valueOf(kMachineVariable); !machine.empty()) result.machine = machine;
  result.overrides = splitOverrides(valueOf(kSetVariable));
  if (const auto checks = parsed(kCheckVariable, parseChecks)) result.checks = *checks;
  if (const auto onFault = parsed(kOnFaultVariable, parseOnFault)) result.checks.onFault = *onFault;
  result.addressBits = addressBits();
  result.dumpFolder = valueOf(kDumpVariable);
  result.maxRegisters = maxRegisters();
  if (const auto policy = parsed(kSpillFirstVariable, parseSpillPolicy)) result.spillPolicy = *policy;
  result.report.quiet = switchOf(kQuietVariable);
  result.report.lines = switchOf(kLinesVariable);
  result.report.kernel = valueOf(kKernelVariable);
  result.data = switchOf(kDataVariable);
  result.report.jsonFile = valueOf(kJsonVariable);
  result.report.csvFile = valueOf(kCsvVariable);
  result.trace = traceSettings();
  result.pcHistogram = pcHistogramSettings();
  result.energyTable = valueOf(kEnergyVariable);
  result.functionalUntil = valueOf(kFunctionalUntilVariable);
  result.checkpointFile = valueOf(kCheckpointVariable);
  if (result.devices > 1 && !result.checkpointFile.empty())
    throw Error("a checkpoint of a program with several devices", {}, "leave out --devices or --checkpoint: a checkpoint holds one device");
  if (const auto sample = parsed(kSampleBlocksVariable, machines::parseBlockSample)) result.sample = *sample;
  result.sampleError = parsed(kSampleVariable, parseSampleError);
  result.sampleTimes = valueOf(kSampleTimesVariable);
  if (const auto part = parsed(kSamplePartVariable, parseSamplePart)) result.samplePart = *part;
  if (result.devices > 1 && !result.sampleTimes.empty())
    throw Error("times of launches of a program with several devices", {}, "leave out --devices or --sample-times");
  // Read where it is used; what cannot be read is refused here.
  parsed(kFunctionalUntilVariable, [](const std::string& text) { return FastForward{text}; });
  result.injection = parsed(kInjectVariable, parseInjection);
  result.mostSeconds = numberOf(kMaxSecondsVariable).value_or(0);
  result.timing = timingOptions(result.report.lines || !result.report.jsonFile.empty());
  return result;
}

Environment ofDevice(const Environment& environment, u32 ordinal) {
  Environment result = environment;
  if (environment.devices > 1) result.report.heading = fmt::format("device {}", ordinal);
  if (ordinal == 0) return result;
  const std::string mark = fmt::format("device{}", ordinal);
  for (std::string* const file :
       {&result.trace.chromeFile, &result.trace.konataFile, &result.trace.seriesFile, &result.report.jsonFile, &result.report.csvFile})
    if (!file->empty()) *file = markedFile(*file, mark);
  if (!result.dumpFolder.empty()) result.dumpFolder = (std::filesystem::path(result.dumpFolder) / mark).string();
  return result;
}

namespace {

// Launches that are timed have been executed before.
void requireRunAgain(const Environment& environment) {
  const exec::Checks& checks = environment.checks;
  if (checks.races || checks.uninitialised || checks.synchronisation || checks.neighbours)
    throw Error("checks of launches that are sampled", {},
                "leave out --sample or --check: a launch that runs twice would be checked twice");
  if (environment.injection)
    throw Error("faults in launches that are sampled", {},
                "leave out --sample or --inject: a launch that runs twice would have other faults");
  if (!environment.sampleTimes.empty() && (environment.trace.any() || environment.pcHistogram))
    throw Error("a trace of launches that are timed one by one", {},
                "leave out --sample-times or the trace: each launch has a machine of its own then, and its own time");
}

}  // namespace

Settings settingsFrom(const Environment& environment, u32 addressBitsOfCode) {
  plugins::loadFromEnvironment();
  Settings settings;
  settings.machine = config::loadMachine(environment.machine, environment.overrides);
  settings.checks = environment.checks;
  settings.addressBits = environment.addressBits.value_or(addressBitsOfCode);
  const ReportSettings& report = environment.report;
  settings.profile = environment.sampleError || !report.quiet || !report.jsonFile.empty() || !report.csvFile.empty();
  settings.data = environment.data;
  settings.progress = !environment.report.quiet;
  settings.dumpFolder = environment.dumpFolder;
  settings.timing = environment.timing;
  settings.mostSeconds = environment.mostSeconds;
  settings.trace = environment.trace;
  settings.pcHistogram = environment.pcHistogram;
  if (settings.pcHistogram) machines::requireSm(*settings.pcHistogram, settings.machine);
  if (settings.timing && !environment.energyTable.empty())
    settings.energy = std::make_shared<machines::EnergyModel>(energy::loadTable(environment.energyTable), settings.machine);
  settings.functionalUntil = environment.functionalUntil;
  settings.checkpointFile = environment.checkpointFile;
  settings.sample = environment.sample;
  settings.sampleError = environment.sampleError;
  settings.sampleTimes = environment.sampleTimes;
  settings.samplePart = environment.samplePart;
  if (settings.timing && settings.sampleError) requireRunAgain(environment);
  settings.injection = environment.injection;
  if (settings.timing) config::requireTimed(settings.machine);
  settings.maxRegisters = environment.maxRegisters;
  settings.spillPolicy = environment.spillPolicy;
  return settings;
}

}  // namespace warpwright::runtime
