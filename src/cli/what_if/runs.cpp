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
#include "cc/driver/process.hpp"
#include "cli/app.hpp"
#include "cli/profile_json.hpp"
#include "lab/execution/child.hpp"
#include "runtime/environment.hpp"
#include "stats/json.hpp"

namespace warpwright::cli {
namespace {

namespace fs = std::filesystem;

constexpr auto kPoll = std::chrono::milliseconds(20);

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

// The process's own environment, with these variables in place of its own of the same names.
std::vector<std::string> environmentWith(const std::vector<std::pair<std::string, std::string>>& changes) {
  std::vector<std::string> result;
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string_view variable = *each;
    const auto isChanged = [&](const auto& change) { return variable.starts_with(change.first + '='); };
    if (std::ranges::none_of(changes, isChanged)) result.emplace_back(variable);
  }
  for (const auto& [name, value] : changes) result.push_back(name + '=' + value);
  return result;
}

std::string firstLine(const std::string& text) { return text.substr(0, text.find('\n')); }

class Runs {
 public:
  Runs(const std::vector<std::string>& command, const std::vector<std::string>& overrides) : command_(command), overrides_(overrides) {}

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
    running_.push_back({&run, std::make_unique<lab::Child>(request), base});
    std::fprintf(stderr, "warpwright: what if: running %s (%s)\n", std::string(run.what->text).c_str(),
                 fmt::format("{}", fmt::join(run.settings, " ")).c_str());
  }

  // Takes the results of those that have ended.
  void gather(std::size_t all) {
    for (auto each = running_.begin(); each != running_.end();) {
      if (!each->child->check()) {
        ++each;
        continue;
      }
      finish(*each, all);
      each = running_.erase(each);
    }
  }
  std::size_t running() const { return running_.size(); }

 private:
  struct Running {
    WhatIfRun* run;
    std::unique_ptr<lab::Child> child;
    std::string base;
  };

  void finish(const Running& ended, std::size_t all) {
    const lab::ChildResult& result = ended.child->result();
    const bool isGood = result.end == lab::End::exited && result.status == 0 && fs::exists(ended.base + ".json");
    if (isGood) {
      ended.run->profile = stats::Json::parse(readFile(ended.base + ".json"));
    } else {
      ended.run->failure = firstLine(readFile(ended.base + ".out"));
    }
    std::fprintf(stderr, "warpwright: what if: %zu of %zu done, %s%s (%.1f s)\n", ++done_, all, std::string(ended.run->what->name).c_str(),
                 isGood ? "" : " FAILED", result.seconds);
  }

  const std::vector<std::string>& command_;
  const std::vector<std::string>& overrides_;
  cc::TemporaryFolder folder_;
  std::vector<Running> running_;
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
    for (const stats::Json& kernel : profile.at("kernels")) {
      if (!isTimed(kernel)) continue;
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
  Runs processes(command, overrides);
  for (std::size_t next = 0; next < runs.size() || processes.running() != 0;) {
    while (next < runs.size() && processes.running() < jobs) processes.start(runs[next++]);
    processes.gather(runs.size());
    std::this_thread::sleep_for(kPoll);
  }
  return runs;
}

}  // namespace warpwright::cli
