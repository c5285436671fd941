// `warpwright run`: starts a program with the settings in its environment. The program takes this process's place, so that its output,
// its signals and its exit status are its own.
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>

#include "base/file.hpp"
#include "base/nearest.hpp"
#include "cc/driver/process.hpp"
#include "cli/against.hpp"
#include "cli/app.hpp"
#include "cli/cuda_runtime.hpp"
#include "cli/run_page.hpp"
#include "cli/simulation_options.hpp"
#include "cli/what_if/comparison.hpp"
#include "fatbin/elf_file.hpp"
#include "runtime/environment.hpp"
#include "stats/json.hpp"

namespace warpwright::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLoaderPath = "LD_LIBRARY_PATH";
constexpr const char* kPreload = "LD_PRELOAD";
// Tells the interceptor what stands in (src/cudart/intercept).
constexpr const char* kStaticRuntime = "WARPWRIGHT_STATIC_RUNTIME";
// As shells have it.
constexpr int kCannotExecute = 126;
constexpr int kNotFound = 127;

constexpr const char* kRunExamples =
    "Examples:\n"
    "  warpwright run ./saxpy                          run it; the profile goes to stderr\n"
    "  warpwright run --machine gtx480 ./saxpy 4096    another machine; 4096 is the program's argument\n"
    "  warpwright run --machine gtx480 --set l1d.ways=8 --set l1d.bytes=32768 ./saxpy\n"
    "  warpwright run --machine v100 --what-if ./saxpy   and what it would take without what limits it\n"
    "  warpwright run --lines --json saxpy.json ./saxpy\n"
    "  warpwright run --check races,uninitialised ./reduction\n"
    "  warpwright run --quiet ./saxpy > out.txt        only what the program itself prints\n";

struct Refusal {
  int status = 0;
  std::string text, remedy;
};

std::string onPath(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::string rest = path ? path : "";
  while (!rest.empty()) {
    const auto colon = rest.find(':');
    const fs::path candidate = fs::path(rest.substr(0, colon)) / name;
    if (::access(candidate.c_str(), X_OK) == 0) return candidate.string();
    rest = colon == std::string::npos ? "" : rest.substr(colon + 1);
  }
  return {};
}

Refusal examineRuntime(const CudaRuntime& runtime, const std::string& file) {
  switch (runtime.use) {
    case CudaUse::own:
      break;
    case CudaUse::shared:
    case CudaUse::driver:
      if (!dropInFolder(runtime.library).empty()) break;
      return {kCannotExecute, "'" + file + "' asks for " + runtime.library + ", and Warpwright's " + runtime.library + " is missing",
              "build all of Warpwright (cmake --build build), or install it as a whole"};
    case CudaUse::otherVersion:
      return {kCannotExecute, "'" + file + "' asks for " + runtime.library + ", a CUDA runtime that there is no stand-in for",
              "build it with CUDA 11, 12 or 13, or with warpwright-cc"};
    case CudaUse::staticRuntime:
      if (!dropInFolder(runtime.library).empty() && !dropInFolder(kInterceptor).empty()) break;
      return {kCannotExecute, "'" + file + "' has a CUDA runtime linked into it, and what takes its place is missing",
              "build all of Warpwright (cmake --build build), or install it as a whole"};
    case CudaUse::hiddenRuntime:
      return {kCannotExecute,
              "'" + file + "' has NVIDIA's CUDA runtime linked into it, and no symbols by which Warpwright could take its place",
              "do not strip it, or link it anew with nvcc -cudart shared (CMake: set CUDA_RUNTIME_LIBRARY to Shared)"};
    case CudaUse::none:
      return {kCannotExecute, "'" + file + "' uses no CUDA runtime: it is not linked with any",
              "build it with warpwright-cc or nvcc; where a library of its own uses CUDA, start it from a script"};
  }
  return {};
}

// Lets the program that takes this process's place find Warpwright's libraries under NVIDIA's names; programs that a script starts too.
void offerDropIns() {
  const std::string folder = dropInFolder(kDriverLibrary);
  if (folder.empty()) return;
  const char* path = std::getenv(kLoaderPath);
  setenv(kLoaderPath, path && *path ? (folder + ':' + path).c_str() : folder.c_str(), 1);
}

// A runtime that is a part of the program is replaced there, before the program's own code runs.
void interceptRuntime(const CudaRuntime& runtime) {
  if (runtime.use != CudaUse::staticRuntime) return;
  const std::string folder = dropInFolder(kInterceptor) + '/';
  const char* const others = std::getenv(kPreload);
  setenv(kPreload, (folder + kInterceptor + (others && *others ? std::string(":") + others : "")).c_str(), 1);
  setenv(kStaticRuntime, (folder + runtime.library).c_str(), 1);
}

void sayRuntime(const CudaRuntime& runtime, const std::string& file) {
  const char* const format = runtime.use == CudaUse::staticRuntime
                                 ? "warpwright: %s has the runtime of %s in it: Warpwright's takes its place\n"
                                 : "warpwright: %s asks for %s: Warpwright's stands in for it\n";
  if (runtime.use == CudaUse::shared || runtime.use == CudaUse::driver || runtime.use == CudaUse::staticRuntime)
    std::fprintf(stderr, format, file.c_str(), runtime.library.c_str());
}

// Of a script: none.
CudaRuntime runtimeOf(const std::string& file) {
  const std::string bytes = readFile(file);
  return fatbin::ElfFile::isElf(bytes) ? cudaRuntimeOf(bytes, file) : CudaRuntime{};
}

Refusal examine(const std::string& file) {
  std::error_code failed;
  if (!fs::exists(file, failed)) return {kNotFound, "there is no file '" + file + "'", "check its name and folder"};
  if (fs::is_directory(file, failed)) return {kCannotExecute, "'" + file + "' is a folder", "name a program in it"};
  const auto extension = fs::path(file).extension();
  if (extension == ".cu" || extension == ".ptx" || ::access(file.c_str(), X_OK) != 0) {
    const bool source = extension == ".cu";
    const std::string remedy = source                ? "compile it first: warpwright-cc -O3 -o app " + file
                               : extension == ".ptx" ? "run its kernels with `warpwright kernel " + file + " …`"
                                                     : "chmod +x " + file + ", if it is a program";
    return {kCannotExecute, "'" + file + "' is not executable", remedy};
  }
  const std::string bytes = readFile(file);
  // Scripts may start a program that is.
  if (bytes.starts_with("#!")) return {};
  if (!fatbin::ElfFile::isElf(bytes))
    return {kCannotExecute, "'" + file + "' is neither a program nor a script", "compile it with warpwright-cc"};
  return examineRuntime(cudaRuntimeOf(bytes, file), file);
}

int refuse(const Refusal& refusal) {
  std::fprintf(stderr, "warpwright: error: %s\n  remedy: %s\n", refusal.text.c_str(), refusal.remedy.c_str());
  return refusal.status;
}

// What is to be done with the profile once the program has ended: it then runs as a child.
struct Afterwards {
  std::optional<std::string> whatIf;  // names; empty: those that the verdict names
  std::string against, html;

  bool any() const { return whatIf.has_value() || !against.empty() || !html.empty(); }
};

stats::Json withWhatIfs(stats::Json profile, const std::vector<std::string>& words, const SimulationOptions& options,
                        const std::string& asked) {
  const config::Machine machine = config::loadMachine(runtime::readEnvironment().machine, options.overrides);
  const auto runs = runWhatIfs(whatIfsFor(asked, profile), words, machine, options.overrides, options.threads);
  addWhatIfs(profile, runs);
  if (!options.quiet) std::fputs(whatIfTable(profile, runs, options.kernel).c_str(), stderr);
  return profile;
}

// The exit status is the program's own.
int runAsChild(const std::vector<std::string>& words, SimulationOptions options, const Afterwards& afterwards) {
  if (afterwards.whatIf) checkWhatIfs(*afterwards.whatIf);
  if (!afterwards.html.empty()) checkPage(afterwards.html);
  const stats::Json earlier = afterwards.against.empty() ? stats::Json() : earlierProfile(afterwards.against);
  const cc::TemporaryFolder folder;
  const bool keeps = !options.json.empty();
  if (!keeps) options.json = folder.path() + "/profile.json";
  if (!afterwards.html.empty() && options.series.empty()) options.series = folder.path() + "/series.csv";
  options.exportToEnvironment();
  if (afterwards.whatIf && !runtime::readEnvironment().timing)
    throw WrongUsage("--what-if compares simulated times, and this run is functional",
                     "name a machine with --machine, and leave --functional out");
  const int status = cc::run(words);
  if (!fs::exists(options.json)) return status;
  stats::Json profile = stats::Json::parse(readFile(options.json));
  if (afterwards.whatIf) profile = withWhatIfs(std::move(profile), words, options, *afterwards.whatIf);
  if (!afterwards.against.empty()) std::fputs(comparisonWith(earlier, profile).c_str(), stderr);
  if (keeps) writeFile(options.json, profile.dump(2) + "\n");
  if (!afterwards.html.empty()) {
    const std::string series = fs::exists(options.series) ? readFile(options.series) : "";
    writePage({afterwards.html, words, runtime::readEnvironment().machine, options.overrides, profile.dump(), series});
    std::fprintf(stderr, "warpwright: the page is %s\n", afterwards.html.c_str());
  }
  return status;
}

int run(const CLI::App& command, const SimulationOptions& options, const Afterwards& afterwards) {
  std::vector<std::string> words = command.remaining();
  if (!words.empty() && words.front() == "--") words.erase(words.begin());
  if (words.empty()) throw WrongUsage("no program to run", "warpwright run ./app arguments…");
  if (words.front().starts_with("-")) refuseUnknownOption(command, words.front());

  std::string file = words.front();
  if (file.find('/') == std::string::npos) {
    const std::string found = onPath(file);
    if (found.empty() && fs::exists(file)) file = "./" + file;
    if (!found.empty()) file = found;
  }
  if (const Refusal refusal = examine(file); refusal.status != 0) return refuse(refusal);

  if (!afterwards.any()) options.exportToEnvironment();
  const CudaRuntime runtime = runtimeOf(file);
  if (!options.quiet) sayRuntime(runtime, file);
  offerDropIns();
  interceptRuntime(runtime);
  if (afterwards.any()) {
    words.front() = file;
    return runAsChild(words, options, afterwards);
  }
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  std::fflush(nullptr);
  execv(file.c_str(), arguments.data());
  return refuse({kCannotExecute, "cannot start '" + file + "': " + std::strerror(errno), "build it for this machine"});
}

}  // namespace

void addRun(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand("run",
                                         "Run a program that warpwright-cc or nvcc built, then print what its kernels did: "
                                         "warpwright run [OPTIONS] ./app [ARGUMENTS…]");
  auto options = std::make_shared<SimulationOptions>();
  options->addTo(*command);
  command->add_option("--devices", options->devices, "How many such machines the program finds; each has a report of its own")
      ->check(CLI::Range(1, 16))
      ->excludes("--checkpoint")
      ->type_name("N");
  command->add_option("--kernel", options->kernel, "Print the tables of kernels with TEXT in their names alone; the summary has all")
      ->type_name("TEXT");
  auto afterwards = std::make_shared<Afterwards>();
  command->add_flag_callback(
      "--what-if", [afterwards] { afterwards->whatIf = ""; },
      "Then run the program on machines without what limits its kernels, and say what they would take there");
  command
      ->add_option_function<std::string>(
          "--what-if-only", [afterwards](const std::string& names) { afterwards->whatIf = names; },
          "The same, on those of a list (docs/verdict.md), or on all")
      ->type_name("NAME,…|all");
  command->add_option("--against", afterwards->against, "Then say what changed since the run whose --json FILE is")->type_name("FILE");
  command->add_option("--html", afterwards->html, "Write all that is known of the kernels to FILE, a page that opens offline")
      ->type_name("FILE");
  command->prefix_command();
  command->footer(kRunExamples + ("\n" + environmentHelp()));
  command->callback([command, options, afterwards, &status] { status = run(*command, *options, *afterwards); });
}

}  // namespace warpwright::cli
