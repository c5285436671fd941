// Measures a GPU from inside: latencies, caches, conflicts, coalescing, instructions, bandwidth, barriers and atomics. The same program
// measures simulated machines and real ones. docs/micro-benchmarks.md says what each row means.
#include <cstdlib>
#include <iterator>
#include <memory>
#include <set>
#include <string>

#include "access.cuh"
#include "bandwidth.cuh"
#include "caches.cuh"
#include "instructions.cuh"
#include "launches.cuh"
#include "progress.hpp"
#include "synchronisation.cuh"

namespace {

constexpr int kExitUsage = 2;

struct Benchmark {
  const char *name, *summary;
  void (*run)(micro::Report&);
};

constexpr Benchmark kBenchmarks[] = {
    {"latency", "a dependent load that hits in each memory near the SM", micro::measureLatencies},
    {"dram", "a dependent load that no cache holds, by stride in bytes", micro::measureDram},
    {"l1", "the first-level data cache", micro::measureL1},
    {"constant-cache", "the constant cache", micro::measureConstantCache},
    {"texture-cache", "the texture cache", micro::measureTextureCache},
    {"l2", "the second-level cache", micro::measureL2},
    {"rings", "mean time of a dependent load, by the size of the ring that it walks", micro::measureAllRings},
    {"conflicts", "a dependent load of a warp from shared memory, by stride in words", micro::measureConflicts},
    {"coalescing", "a dependent load of a warp from global memory, by stride and offset in words", micro::measureCoalescing},
    {"instructions", "latency of a dependent instruction, and throughput of an SM", micro::measureInstructions},
    {"bandwidth", "reading within an SM, and by all SMs", micro::measureBandwidth},
    {"barriers", "a barrier of a block, by warps", micro::measureBarriers},
    {"atomics", "a dependent atomic addition of a warp; additions of all SMs", micro::measureAtomics},
    {"launches", "empty kernels", micro::measureLaunches},
};

[[noreturn]] void printHelp() {
  std::printf("micro: measures a GPU from inside\n\nusage: micro [--csv] [NAME]...\n\nbenchmarks (default: all):\n");
  for (const Benchmark& benchmark : kBenchmarks) std::printf("  %-16s %s\n", benchmark.name, benchmark.summary);
  std::exit(0);
}

[[noreturn]] void usageError(const std::string& message) {
  std::fprintf(stderr, "micro: %s\nTry 'micro --help'.\n", message.c_str());
  std::exit(kExitUsage);
}

bool isBenchmark(const std::string& name) {
  for (const Benchmark& benchmark : kBenchmarks)
    if (name == benchmark.name) return true;
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  bool csv = false;
  std::set<std::string> chosen;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--help" || word == "-h") printHelp();
    if (word == "--csv") {
      csv = true;
    } else if (isBenchmark(word)) {
      chosen.insert(word);
    } else {
      usageError("no benchmark and no option is called '" + word + "'");
    }
  }
  micro::Report report(csv);
  micro::Progress progress(chosen.empty() ? std::size(kBenchmarks) : chosen.size());
  for (const Benchmark& benchmark : kBenchmarks) {
    if (!chosen.empty() && chosen.count(benchmark.name) == 0) continue;
    progress.begin(benchmark.name);
    report.begin(benchmark.name, benchmark.summary);
    benchmark.run(report);
  }
  return 0;
}
