#include "lab/execution/run.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "base/error.hpp"
#include "base/file.hpp"
#include "lab/experiment/plugins.hpp"
#include "lab/experiment/run_options.hpp"
#include "lab/experiment/spe.hpp"
#include "lab/identity/hash.hpp"
#include "lab/store/time.hpp"

namespace warpwright::lab {
namespace {

namespace fs = std::filesystem;

constexpr const char* kProfile = "profile.json";
constexpr const char* kSeries = "series.csv";
constexpr const char* kMachine = "machine.toml";
constexpr const char* kOutput = "output";
constexpr std::size_t kMessageBytes = 2000;

void writeTemporary(const std::string& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  if (!out) throw Error(fmt::format("cannot write '{}': {}", file, std::strerror(errno)), {}, "TMPDIR names another folder for such files");
}

std::string contentOf(const std::string& file) {
  std::error_code failed;
  return fs::exists(file, failed) ? readFile(file) : std::string();
}

// Only what the specification says may act on a run; programs find this simulator's libraries before any other build's.
std::vector<std::string> environmentFor(const Simulator& simulator) {
  constexpr std::string_view kOwn = "WARPWRIGHT_", kLoader = "LD_LIBRARY_PATH=";
  std::vector<std::string> result;
  std::string path = simulator.libraryFolder;
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string_view entry = *each;
    if (entry.starts_with(kLoader)) path += ":" + std::string(entry.substr(kLoader.size()));
    if (!entry.starts_with(kOwn) && !entry.starts_with(kLoader)) result.emplace_back(entry);
  }
  result.push_back(std::string(kLoader) + path);
  return result;
}

std::string lastLines(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  if (text.size() <= kMessageBytes) return text;
  text = text.substr(text.size() - kMessageBytes);
  return "…" + text.substr(std::min(text.find('\n'), text.size() - 1));
}

std::string withOutput(const std::string& message, const std::string& output) {
  const std::string last = lastLines(output);
  return last.empty() ? message : message + ":\n" + last;
}

}  // namespace

namespace {

// `warpwright run` with its machine in a file and its program in a folder of its own.
std::vector<std::string> commandOn(const std::string& folder, const RunSpec& spec, const Simulator& simulator) {
  const auto path = [&](const char* name) { return folder + "/" + name; };
  if (isSpe(spec.program)) {
    std::vector<std::string> words = {simulator.executable, "spe", "run", "--quiet", "--json", path(kProfile)};
    for (const std::string& word : speWords(spec.configuration)) words.push_back(word);
    words.push_back(speName(spec.program));
    return words;
  }
  writeTemporary(path(kMachine), spec.configuration);
  std::vector<std::string> words = {simulator.executable, "run",       "--quiet",     "--lines", "--json",
                                    path(kProfile),       "--machine", path(kMachine)};
  for (const std::string& word : wordsOf(spec.options, path(kSeries))) words.push_back(word);
  words.push_back(spec.program);
  words.insert(words.end(), spec.arguments.begin(), spec.arguments.end());
  return words;
}

}  // namespace

Run::Run(const RunSpec& spec, const Simulator& simulator, const Limits& limits) : limits_(limits), started_(utcNow()) {
  if (!isSpe(spec.program) && hashOfFile(spec.program) != spec.programHash)
    throw Error(fmt::format("'{}' has changed since the experiment was planned", spec.program), {},
                "give the command again: it plans anew");
  requireUnchanged(spec.options);
  const auto path = [&](const char* name) { return folder_.path() + "/" + name; };
  fs::create_directory(path("work"));
  ChildRequest request{.environment = environmentFor(simulator), .folder = path("work"), .output = path(kOutput), .limits = limits};
  request.command = commandOn(folder_.path(), spec, simulator);
  child_ = std::make_unique<Child>(request);
}

Outcome Run::outcome() const {
  const ChildResult& result = child_->result();
  Outcome outcome{.state = State::failed, .seconds = result.seconds, .peakBytes = result.peakBytes, .started = started_};
  outcome.exitStatus = result.end == End::exited ? result.status : 128 + result.status;
  const std::string output = contentOf(folder_.path() + "/" + kOutput);
  switch (result.end) {
    case End::timedOut:
      outcome.state = State::timedOut;
      outcome.message = withOutput(fmt::format("stopped after {} s", limits_.timeout.count()), output);
      return outcome;
    case End::tooMuchMemory:
      outcome.message = withOutput(fmt::format("stopped: it had more than {} resident", bytesText(limits_.memoryBytes)), output);
      return outcome;
    case End::interrupted:
      outcome.message = withOutput("stopped by a signal", output);
      return outcome;
    case End::killed:
      outcome.message = withOutput(fmt::format("killed by signal {} ({})", result.status, strsignal(result.status)), output);
      return outcome;
    case End::exited:
      break;
  }
  if (result.status != 0) {
    outcome.message = withOutput(fmt::format("exit status {}", result.status), output);
    return outcome;
  }
  outcome.profile = contentOf(folder_.path() + "/" + kProfile);
  outcome.series = contentOf(folder_.path() + "/" + kSeries);
  outcome.state = outcome.profile.empty() ? State::failed : State::done;
  if (outcome.profile.empty())
    outcome.message = withOutput("there are no statistics: the program used no device, or they could not be written", output);
  return outcome;
}

}  // namespace warpwright::lab
