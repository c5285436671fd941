// Rates of whole workloads at size `small`, without the profile. The time is the wall-clock time of the launches as the program prints it;
// data set-up and the reference are left out. Counters:
//   warp_instructions  warp instructions per second
//   over_reference     time of the launches divided by that of the single-threaded reference, from the same run
#include <benchmark/benchmark.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

namespace {

namespace fs = std::filesystem;

struct Workload {
  const char* name;
  const char* variant;  // "" where there is only one
};
constexpr Workload kWorkloads[] = {
    {"saxpy", ""},   {"transpose", "naive"}, {"transpose", "tiled"},       {"transpose", "padded"},
    {"sgemm", ""},   {"scan", ""},           {"reduction", "interleaved"}, {"reduction", "sequential"},
    {"hotspot", ""}, {"backprop", ""},       {"needleman-wunsch", ""},     {"bfs", "power-law"},
    {"bfs", "road"}, {"aes", "encrypt"},     {"aes", "decrypt"},
};

struct Times {
  double referenceMs = 0, kernelsMs = 0;
};

// Runs a shell command and reads the two times from its output; nothing when it fails.
bool run(const std::string& command, Times& times) {
  FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return false;
  std::array<char, 256> line;
  while (std::fgets(line.data(), line.size(), pipe) != nullptr) {
    std::sscanf(line.data(), "reference: %lf ms", &times.referenceMs);
    std::sscanf(line.data(), "kernels: %lf ms", &times.kernelsMs);
  }
  return pclose(pipe) == 0;
}

std::string commandOf(const Workload& workload) {
  std::string command = std::string(WORKLOAD_FOLDER "/") + workload.name + " --size small";
  if (*workload.variant != 0) command += std::string(" --variant ") + workload.variant;
  return command;
}

// All warp instructions of a profile in JSON.
double warpInstructions(const fs::path& path) {
  std::ifstream file(path);
  const nlohmann::json profile = nlohmann::json::parse(file);
  double sum = 0;
  for (const auto& kernel : profile.at("kernels"))
    for (const auto& [name, count] : kernel.at("counters").at("warp_instructions").items()) sum += count.get<double>();
  return sum;
}

// One profiled run counts the instructions, the timed ones go without.
void rate(benchmark::State& state, const Workload& workload) {
  const fs::path profile = fs::temp_directory_path() / ("warpwright-bench-" + std::string(workload.name) + workload.variant + ".json");
  Times times;
  if (!run("WARPWRIGHT_QUIET=1 WARPWRIGHT_JSON=" + profile.string() + " " + commandOf(workload), times)) {
    state.SkipWithError("the workload failed");
    return;
  }
  const double instructions = warpInstructions(profile);
  fs::remove(profile);
  double ratios = 0, seconds = 0;
  for (auto _ : state) {
    if (!run("WARPWRIGHT_QUIET=1 " + commandOf(workload), times)) {
      state.SkipWithError("the workload failed");
      return;
    }
    state.SetIterationTime(times.kernelsMs / 1e3);
    seconds += times.kernelsMs / 1e3;
    ratios += times.kernelsMs / times.referenceMs;
  }
  const double iterations = static_cast<double>(state.iterations());
  state.counters["warp_instructions"] = instructions * iterations / seconds;
  state.counters["over_reference"] = ratios / iterations;
}

[[maybe_unused]] const bool kRegistered = [] {
  for (const Workload& workload : kWorkloads) {
    const std::string name = std::string(workload.name) + (*workload.variant != 0 ? "/" : "") + workload.variant;
    benchmark::RegisterBenchmark(name.c_str(), [workload](benchmark::State& state) { rate(state, workload); })
        ->UseManualTime()
        ->Iterations(2)
        ->Unit(benchmark::kMillisecond);
  }
  return true;
}();

}  // namespace
