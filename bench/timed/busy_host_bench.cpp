// The timed machine on a host whose processors are all taken: beside as many threads that only count, a workload runs with one host thread
// and with several, in turn. Counters:
//   ratio  time with several threads to time with one, of the medians; at most 1.2 is the aim
#include <benchmark/benchmark.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "workload_run.hpp"

namespace warpwright {
namespace {

constexpr unsigned kRounds = 5;

class Load {
 public:
  Load() {
    for (unsigned i = 0; i < std::thread::hardware_concurrency(); ++i)
      threads_.emplace_back([this] {
        while (!done_.load(std::memory_order_relaxed)) benchmark::ClobberMemory();
      });
  }
  ~Load() {
    done_ = true;
    for (std::thread& thread : threads_) thread.join();
  }
  Load(const Load&) = delete;
  Load& operator=(const Load&) = delete;

 private:
  std::atomic<bool> done_{false};
  std::vector<std::thread> threads_;
};

double median(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

void ratio(benchmark::State& state, const char* workload) {
  const Load load;
  for (auto _ : state) {
    std::vector<double> one, several;
    for (unsigned round = 0; round < kRounds; ++round) {
      one.push_back(bench::launchTime(bench::timedRun(workload, 1)));
      several.push_back(bench::launchTime(bench::timedRun(workload, state.range(0))));
    }
    if (median(one) == 0 || median(several) == 0) return state.SkipWithError("the workload failed");
    state.SetIterationTime(median(several) / 1e3);
    state.counters["ratio"] = median(several) / median(one);
  }
}

[[maybe_unused]] const bool kRegistered = [] {
  for (const char* workload : {"sgemm --size test", "hotspot --size test", "bfs --variant power-law --size test"}) {
    benchmark::RegisterBenchmark((std::string("busy host: ") + workload).c_str(),
                                 [workload](benchmark::State& state) { ratio(state, workload); })
        ->ArgName("threads")
        ->Arg(2)
        ->Arg(4)
        ->UseManualTime()
        ->Iterations(1)
        ->Unit(benchmark::kMillisecond);
  }
  return true;
}();

}  // namespace
}  // namespace warpwright
