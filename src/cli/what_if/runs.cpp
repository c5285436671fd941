#include "cli/what_if/runs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <set>
#include <thread>

#include "base/file.hpp"
#include "base/nearest.hpp"
#include "base/progress_line.hpp"
#include "cc/driver/process.hpp"
#include "cli/app.hpp"
#include "cli/child_environment.hpp"
#include "cli/profile_json.hpp"
#include "cli/what_if/kernel_filter.hpp"
#include "lab/execution/child.hpp"
#include "runtime/environment.hpp"
#include "stats/json.hpp"

namespace warpwright::cli {
namespace {

namespace fs = std::filesystem;

constexpr auto kPoll = std::chrono::milliseconds(20);
constexpr const char* kWipeLine = "\r\033[K";

using Clock = std::chrono::steady_clock;
// All that this process has done before it begins with what-ifs is the run that they follow: that is how long one takes.
const Clock::time_point kProcessBegan = Clock::now();

double secondsSince(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

std::vector<std::string> wordsOf(const std::string& list) {
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    if (end != begin) words.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

const machines::WhatIf* require(const std::string& name) {
  if (const machines::WhatIf* found = machines::findWhatIf(name)) return found;
  std::vector<std::string> known{"all"};
  for (const machines::WhatIf& each : machines::whatIfs()) known.emplace_back(each.name);
  const std::string near = nearestName(name, known);
  throw WrongUsage(fmt::format("--what-if: there is no '{}'", name),
                   near.empty() ? fmt::format("there are: {}", fmt::join(known, ", ")) : fmt::format("did you mean '{}'?", near));
}

std::string firstLine(const std::string& text) { return text.substr(0, text.find('\n')); }

class Runs {
 public:
  Runs(const std::vector<std::string>& command, const std::vector<std::string>& overrides, std::size_t all, std::size_t jobs)
      : command_(command),
        overrides_(overrides),
        all_(all),
        jobs_(jobs),
        isQuiet_(runtime::readEnvironment().report.quiet),
        line_(isQuiet_ ? ProgressLine::In::nothing : ProgressLine::In::terminals) {}

  void start(WhatIfRun& run) {
    const std::string base = fmt::format("{}/{}", folder_.path(), run.what->name);
    std::vector<std::string> all = overrides_;
    all.insert(all.end(), run.settings.begin(), run.settings.end());
    const lab::ChildRequest request{.command = command_,
                                    .environment = environmentWith({{runtime::kSetVariable.name, fmt::format("{}", fmt::join(all, ";"))},
                                                                    {runtime::kJsonVariable.name, base + ".json"},
                                                                    {runtime::kQuietVariable.name, "1"},
                                                                    {runtime::kCsvVariable.name, ""},
                                                                    {runtime::kTraceVariable.name, ""},
                                                                    {runtime::kKonataVariable.name, ""},
                                                                    {runtime::kSeriesVariable.name, ""},
                                                                    {runtime::kCheckpointVariable.name, ""}}),
                                    .folder = fs::current_path().string(),
                                    .output = base + ".out",
                                    .limits = {}};
    running_.push_back({&run, std::make_unique<lab::Child>(request), base, Clock::now()});
    if (!isQuiet_) say(fmt::format("running {} ({})", run.what->text, fmt::join(run.settings, " ")));
  }

  // Takes the results of those that have ended.
  void gather() {
    for (auto each = running_.begin(); each != running_.end();) {
      if (!each->child->check()) {
        ++each;
        continue;
      }
      const Running ended = std::move(*each);
      each = running_.erase(each);
      finish(ended);
    }
    if (line_.isDue()) line_.show(fmt::format("what if: {} of {} done, {} running{}", done_, all_, running_.size(), leftText()));
  }
  std::size_t running() const { return running_.size(); }

 private:
  struct Running {
    WhatIfRun* run;
    std::unique_ptr<lab::Child> child;
    std::string base;
    Clock::time_point began;
  };

  // Runs take as long as those before did.
  std::string leftText() const {
    if (done_ == all_) return "";
    const double each = done_ == 0 ? first_ : endedSeconds_ / static_cast<double>(done_);
    double seconds = each * static_cast<double>(all_ - done_ - running_.size());
    for (const Running& run : running_) seconds += std::max(0.0, each - secondsSince(run.began));
    return fmt::format("; about {} left", durationText(seconds / static_cast<double>(jobs_)));
  }

  // In place of a terminal's line, which show() draws anew.
  static void say(const std::string& text) {
    fmt::print(stderr, "{}warpwright: what if: {}\n", isatty(STDERR_FILENO) != 0 ? kWipeLine : "", text);
  }

  void finish(const Running& ended) {
    const lab::ChildResult& result = ended.child->result();
    const bool isGood = result.end == lab::End::exited && result.status == 0 && fs::exists(ended.base + ".json");
    if (isGood) {
      ended.run->profile = stats::Json::parse(readFile(ended.base + ".json"));
    } else {
      ended.run->failure = firstLine(readFile(ended.base + ".out"));
    }
    ++done_;
    endedSeconds_ += result.seconds;
    if (isQuiet_ && isGood) return;
    say(fmt::format("{} of {} done, {}{} ({:.1f} s){}", done_, all_, ended.run->what->name, isGood ? "" : " FAILED", result.seconds,
                    leftText()));
  }

  const std::vector<std::string>& command_;
  const std::vector<std::string>& overrides_;
  cc::TemporaryFolder folder_;
  std::vector<Running> running_;
  const std::size_t all_, jobs_;
  const bool isQuiet_;
  ProgressLine line_;
  const double first_ = secondsSince(kProcessBegan);
  double endedSeconds_ = 0;
  std::size_t done_ = 0;
};

}  // namespace

void checkWhatIfs(const std::string& asked) {
  if (asked == "all") return;
  for (const std::string& name : wordsOf(asked)) require(name);
}

std::vector<const machines::WhatIf*> whatIfsFor(const std::string& asked, const stats::Json& profile) {
  std::set<std::string> names;
  for (const std::string& name : wordsOf(asked)) names.insert(name);
  if (asked.empty()) {
    const std::string kernels = runtime::readEnvironment().report.kernel;
    for (const stats::Json& kernel : profile.at("kernels")) {
      if (!isTimed(kernel) || !isNamedBy(kernels, kernel)) continue;
      for (const stats::Json& limit : kernel["timing"]["limits"]) {
        for (const stats::Json& name : limit["what_if"]) names.insert(name.get<std::string>());
      }
    }
  }
  std::vector<const machines::WhatIf*> result;
  for (const machines::WhatIf& each : machines::whatIfs())
    if (asked == "all" || names.contains(std::string(each.name))) result.push_back(&each);
  return result;
}

std::vector<WhatIfRun> runWhatIfs(const std::vector<const machines::WhatIf*>& whatIfs, const std::vector<std::string>& command,
                                  const config::Machine& machine, const std::vector<std::string>& overrides, u32 threads) {
  std::vector<WhatIfRun> runs;
  for (const machines::WhatIf* each : whatIfs) runs.push_back({each, each->settings(machine), {}, {}});
  const std::size_t jobs = std::max(1u, std::thread::hardware_concurrency() / std::max(1u, threads));
  Runs processes(command, overrides, runs.size(), jobs);
  for (std::size_t next = 0; next < runs.size() || processes.running() != 0;) {
    while (next < runs.size() && processes.running() < jobs) processes.start(runs[next++]);
    processes.gather();
    std::this_thread::sleep_for(kPoll);
  }
  return runs;
}

}  // namespace warpwright::cli
