// Rates of the timed machine: workloads on a whole GTX 480, V100 and H100, with one to eight host threads, at sizes that take about a
// second each on the first. The time is the wall-clock time of the launches as the program prints it. Counters:
//   warp_instructions  warp instructions per second
//   cycles             simulated core cycles per second, of the whole machine
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "workload_run.hpp"

namespace warpwright {
namespace {

namespace fs = std::filesystem;

constexpr const char* kMachines[] = {"gtx480", "v100", "h100"};
constexpr const char* kCommands[] = {"sgemm --size test",
                                     "hotspot --size test",
                                     "transpose --variant naive --size small",
                                     "transpose --variant padded --size small",
                                     "saxpy --size small",
                                     "bfs --variant power-law --size test"};

struct Work {
  double warpInstructions = 0, cycles = 0;
};

// Of all launches, from the report of a run; nothing when the run fails.
Work workOf(const std::string& machine, const std::string& workload) {
  const fs::path report = fs::temp_directory_path() / ("warpwright-bench-timed-" + std::to_string(getpid()) + ".json");
  if (bench::launchTime(bench::timedRun(workload, 1, "WARPWRIGHT_JSON=" + report.string(), machine)) == 0) return {};
  std::ifstream file(report);
  const nlohmann::json figures = nlohmann::json::parse(file);
  Work work;
  for (const auto& kernel : figures.at("kernels")) {
    for (const auto& [name, count] : kernel.at("counters").at("warp_instructions").items()) work.warpInstructions += count.get<double>();
    work.cycles += kernel.at("timing").at("counters").at("cycles").get<double>();
  }
  fs::remove(report);
  return work;
}

// One run with a report counts the work, which no number of threads changes; the timed ones go without.
void rate(benchmark::State& state, const std::string& machine, const std::string& workload) {
  const std::string command = bench::timedRun(workload, state.range(0), {}, machine);
  static std::map<std::pair<std::string, std::string>, Work> counted;
  const auto [place, isNew] = counted.try_emplace({machine, workload});
  if (isNew) place->second = workOf(machine, workload);
  const Work& work = place->second;
  if (work.cycles == 0) return state.SkipWithError("the workload failed");
  double seconds = 0;
  for (auto _ : state) {
    const double ms = bench::launchTime(command);
    if (ms == 0) return state.SkipWithError("the workload failed");
    state.SetIterationTime(ms / 1e3);
    seconds += ms / 1e3;
  }
  const auto iterations = static_cast<double>(state.iterations());
  state.counters["warp_instructions"] = work.warpInstructions * iterations / seconds;
  state.counters["cycles"] = work.cycles * iterations / seconds;
}

[[maybe_unused]] const bool kRegistered = [] {
  for (const std::string machine : kMachines) {
    for (const std::string command : kCommands) {
      benchmark::RegisterBenchmark((machine + ": " + command).c_str(), [=](benchmark::State& state) { rate(state, machine, command); })
          ->ArgName("threads")
          ->Arg(1)
          ->Arg(2)
          ->Arg(4)
          ->Arg(8)
          ->UseManualTime()
          ->Iterations(1)
          ->Unit(benchmark::kMillisecond);
    }
  }
  return true;
}();

}  // namespace
}  // namespace warpwright
