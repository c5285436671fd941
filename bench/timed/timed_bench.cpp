// Rates of the timed machine: the workloads at size `small` on a whole GTX 480, with one and two host threads. The time is the wall-clock
// time of the launches as the program prints it. Counters:
//   warp_instructions  warp instructions per second
//   cycles             simulated core cycles per second, of the whole machine
#include <benchmark/benchmark.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

namespace {

namespace fs = std::filesystem;

constexpr const char* kCommands[] = {
    "sgemm", "hotspot", "transpose --variant naive", "transpose --variant padded", "saxpy", "bfs --variant power-law"};

// Runs a shell command and reads the time of its launches from its output, in milliseconds; 0 when it fails.
double run(const std::string& command) {
  FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return 0;
  double ms = 0;
  std::array<char, 256> line;
  while (std::fgets(line.data(), line.size(), pipe) != nullptr) std::sscanf(line.data(), "kernels: %lf ms", &ms);
  return pclose(pipe) == 0 ? ms : 0;
}

struct Work {
  double warpInstructions = 0, cycles = 0;
};

// Of all launches, from the report of a run.
Work workOf(const fs::path& report) {
  std::ifstream file(report);
  Work work;
  for (const auto& kernel : nlohmann::json::parse(file).at("kernels")) {
    for (const auto& [name, count] : kernel.at("counters").at("warp_instructions").items()) work.warpInstructions += count.get<double>();
    work.cycles += kernel.at("timing").at("counters").at("cycles").get<double>();
  }
  return work;
}

// One run with a report counts the work, the timed ones go without.
void rate(benchmark::State& state, const std::string& workload) {
  const fs::path report = fs::temp_directory_path() / ("warpwright-bench-timed-" + std::to_string(state.range(0)) + ".json");
  const std::string settings =
      "WARPWRIGHT_QUIET=1 WARPWRIGHT_TIMED=1 WARPWRIGHT_MACHINE=gtx480 WARPWRIGHT_THREADS=" + std::to_string(state.range(0)) + " ";
  const std::string command = WORKLOAD_FOLDER "/" + workload + " --size small";
  if (run(settings + "WARPWRIGHT_JSON=" + report.string() + " " + command) == 0) return state.SkipWithError("the workload failed");
  const Work work = workOf(report);
  fs::remove(report);
  double seconds = 0;
  for (auto _ : state) {
    const double ms = run(settings + command);
    if (ms == 0) return state.SkipWithError("the workload failed");
    state.SetIterationTime(ms / 1e3);
    seconds += ms / 1e3;
  }
  const auto iterations = static_cast<double>(state.iterations());
  state.counters["warp_instructions"] = work.warpInstructions * iterations / seconds;
  state.counters["cycles"] = work.cycles * iterations / seconds;
}

[[maybe_unused]] const bool kRegistered = [] {
  for (const char* command : kCommands) {
    benchmark::RegisterBenchmark(command, [command](benchmark::State& state) { rate(state, command); })
        ->ArgName("threads")
        ->Arg(1)
        ->Arg(2)
        ->UseManualTime()
        ->Iterations(1)
        ->Unit(benchmark::kMillisecond);
  }
  return true;
}();

}  // namespace
