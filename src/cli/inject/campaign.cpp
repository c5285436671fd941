#include "cli/inject/campaign.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <memory>
#include <regex>
#include <thread>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/progress_line.hpp"
#include "cc/driver/process.hpp"
#include "cli/child_environment.hpp"
#include "lab/execution/child.hpp"
#include "runtime/environment.hpp"
#include "stats/json.hpp"

namespace warpwright::cli {
namespace {

namespace fs = std::filesystem;
using stats::Json;

constexpr auto kPoll = std::chrono::milliseconds(5);
// A run with a fault that takes so much longer than one without hangs.
constexpr u64 kMostTimes = 10;
constexpr u64 kLeastInstructions = 1'000'000;
constexpr std::chrono::seconds kLeastTime{60};

// What a run has left behind.
struct Trace {
  lab::ChildResult process;
  std::string output;
  Json account;  // null: it did not come to its end
  u64 detections = 0;
};

// Of all launches.
u64 detectionsIn(const std::string& profileFile, const std::string& counter) {
  if (counter.empty() || !fs::exists(profileFile)) return 0;
  const std::size_t dot = counter.find('.');
  const Json::json_pointer place(fmt::format("/timing/counters/gpu/mechanisms/{}/{}", counter.substr(0, dot), counter.substr(dot + 1)));
  const Json profile = Json::parse(readFile(profileFile));
  u64 count = 0;
  bool isThere = false;
  for (const Json& kernel : profile.at("kernels")) {
    if (!kernel.contains(place)) continue;
    isThere = true;
    count += kernel.at(place).get<u64>();
  }
  if (!isThere && !profile.at("kernels").empty())
    throw Error(fmt::format("--detected-by: no mechanism counts '{}'", counter), {},
                "write STRUCTURE.COUNTER as in timing.counters.gpu.mechanisms of --json, on the timed machine");
  return count;
}

class Runner {
 public:
  explicit Runner(const CampaignSettings& settings) : settings_(settings) {
    const bool isKernel = fs::path(settings.words.front()).extension() == ".ptx";
    command_ = {fs::read_symlink("/proc/self/exe").string(), isKernel ? "kernel" : "run", "--quiet"};
    command_.insert(command_.end(), settings.words.begin(), settings.words.end());
  }

  std::unique_ptr<lab::Child> start(u32 number, const std::string& injection, std::chrono::seconds timeout) const {
    const std::string profile = settings_.detectedBy.empty() ? "" : fileOf(number, "profile");
    const lab::ChildRequest request{
        .command = command_,
        .environment = environmentWith({{runtime::kInjectVariable.name, fmt::format("{},to={}", injection, fileOf(number, "json"))},
                                        {runtime::kJsonVariable.name, profile},
                                        {runtime::kCsvVariable.name, ""},
                                        {runtime::kCheckpointVariable.name, ""}}),
        .folder = fs::current_path().string(),
        .output = fileOf(number, "out"),
        .limits = {.timeout = timeout}};
    return std::make_unique<lab::Child>(request);
  }

  Trace traceOf(u32 number, const lab::Child& child) const {
    Trace trace{child.result(), withoutTimes(readFile(fileOf(number, "out"))), {}, 0};
    if (fs::exists(fileOf(number, "json"))) trace.account = Json::parse(readFile(fileOf(number, "json")));
    trace.detections = detectionsIn(fileOf(number, "profile"), settings_.detectedBy);
    for (const char* kind : {"out", "json", "profile"}) fs::remove(fileOf(number, kind));
    return trace;
  }

  std::string base() const { return fmt::format("seed={},in={}", settings_.seed, settings_.targets); }

 private:
  std::string fileOf(u32 number, const char* kind) const { return fmt::format("{}/{}.{}", folder_.path(), number, kind); }

  const CampaignSettings& settings_;
  cc::TemporaryFolder folder_;
  std::vector<std::string> command_;
};

std::string endText(const lab::ChildResult& process) {
  if (process.end == lab::End::timedOut) return "it does not come to an end";
  if (process.end == lab::End::killed) return fmt::format("signal {}", strsignal(process.status));
  return fmt::format("exit status {}", process.status);
}

void compare(FaultRun& run, const Trace& golden, const Trace& trace) {
  const bool hasCrashed = trace.process.end != lab::End::exited || trace.account.is_null() || !trace.account["failures"].empty();
  if (hasCrashed) {
    run.results = FaultOutcome::crashing;
    const bool isKernel = !trace.account.is_null() && !trace.account["failures"].empty();
    run.detail = isKernel ? trace.account["failures"][0].get<std::string>() : endText(trace.process);
  } else if (trace.process.status != golden.process.status) {
    run.results = FaultOutcome::silent;
    run.detail = endText(trace.process);
  } else if (trace.account["results"] != golden.account["results"]) {
    run.results = FaultOutcome::silent;
    run.detail = "other results in memory";
  } else if (trace.output != golden.output) {
    run.results = FaultOutcome::silent;
    run.detail = "other output";
  }
  run.outcome = trace.detections > golden.detections ? FaultOutcome::detected : run.results;
}

Trace goldenRun(const Runner& runner, const CampaignSettings& settings) {
  const u32 faults = settings.runs * settings.faultsPerRun;
  const auto child = runner.start(0, fmt::format("{},choose={}", runner.base(), faults), {});
  while (!child->check()) std::this_thread::sleep_for(kPoll);
  Trace trace = runner.traceOf(0, *child);
  if (trace.account.is_null() || !trace.account["failures"].empty())
    throw Error(fmt::format("the program fails without a fault: {}\n{}", endText(trace.process), trace.output), {},
                "see that `warpwright run` runs it to its end");
  if (trace.account["candidates"].size() < faults)
    throw Error(fmt::format("there are places for {} faults, and {} are asked for", trace.account["candidates"].size(), faults), {},
                "ask for fewer --runs, a larger problem, or other places with --in");
  return trace;
}

// Run n of m has the candidates n, n + m, …: each is a sample of its own.
std::string placesOf(const Trace& golden, u32 run, u32 runs) {
  std::vector<std::string> places;
  for (std::size_t i = run; i < golden.account["candidates"].size(); i += runs)
    places.push_back(golden.account["candidates"][i].get<std::string>());
  return fmt::format("{}", fmt::join(places, "+"));
}

}  // namespace

std::string withoutTimes(const std::string& output) {
  static const std::regex time(R"([0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)? *(ns|us|µs|ms|s|seconds)\b)");
  return std::regex_replace(output, time, "TIME");
}

Campaign runCampaign(const CampaignSettings& settings) {
  struct Running {
    u32 number;
    std::unique_ptr<lab::Child> child;
  };
  const Runner runner(settings);
  const Trace golden = goldenRun(runner, settings);
  Campaign campaign;
  campaign.status = golden.process.status;
  campaign.runs.resize(settings.runs);
  const u64 most = kMostTimes * golden.account["longest_launch"].get<u64>() + kLeastInstructions;
  const auto timeout = kLeastTime + std::chrono::seconds(static_cast<s64>(golden.process.seconds)) * kMostTimes;
  ProgressLine line(settings.isQuiet ? ProgressLine::In::nothing : ProgressLine::In::terminalsAndLogs);
  std::vector<Running> running;
  u32 next = 0, done = 0;
  while (done < settings.runs) {
    for (; next < settings.runs && running.size() < settings.jobs; ++next) {
      const std::string injection = fmt::format("{},most={},at={}", runner.base(), most, placesOf(golden, next, settings.runs));
      running.push_back({next, runner.start(next + 1, injection, timeout)});
    }
    std::erase_if(running, [&](const Running& each) {
      if (!each.child->check()) return false;
      const Trace trace = runner.traceOf(each.number + 1, *each.child);
      FaultRun& run = campaign.runs[each.number];
      if (!trace.account.is_null()) run.faults = trace.account["faults"];
      compare(run, golden, trace);
      ++done;
      return true;
    });
    if (line.isDue()) line.show(fmt::format("faults: {} of {} runs done", done, settings.runs));
    std::this_thread::sleep_for(kPoll);
  }
  campaign.seconds = line.seconds();
  return campaign;
}

}  // namespace warpwright::cli
