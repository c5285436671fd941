// Functional rate on workload kernels, one thread, without the profile and with it. Every benchmark also times the workload's plain
// single-threaded reference in the same run. Counters:
//   warp_instructions  warp instructions per second
//   over_reference     best processor time of a launch divided by the best processor time of the reference
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstring>
#include <ctime>
#include <fstream>
#include <functional>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "base/demangle.hpp"
#include "base/error.hpp"
#include "runtime/device.hpp"
#include "workloads/aes/tables.hpp"
#include "workloads/common/random.hpp"
#include "workloads/saxpy/reference.hpp"
#include "workloads/sgemm/reference.hpp"
#include "workloads/transpose/reference.hpp"

namespace {

using namespace warpwright;

std::string readPtx(const std::string& name) {
  std::ifstream file(PTX_FOLDER "/" + name + ".ptx");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

enum class With : bool { nothing, profile };

// A device with one module and helpers to fill a launch.
class Bench {
 public:
  Bench(const std::string& ptx, std::string kernel, With with)
      : device_(settings(with)), module_(device_.loadModule(readPtx(ptx), ptx + ".ptx")) {
    for (const isa::Function& function : module_.loaded->program.functions)
      if (function.isKernel && nameIn(demangled(function.name)) == kernel) launch_.kernel = &function;
    if (launch_.kernel == nullptr) throw Error("no kernel named " + kernel + " in " + ptx + ".ptx");
    launch_.module = &module_;
  }

  template <class T>
  u64 upload(const std::vector<T>& values) {
    const GlobalAddress address = device_.memory().allocate(values.size() * sizeof(T), exec::AllocationKind::device).value();
    std::memcpy(exec::GlobalMemory::hostPointer(address), values.data(), values.size() * sizeof(T));
    return address;
  }

  template <class T>
  void setVariable(const std::string& name, const std::vector<T>& values) {
    const exec::LoadedProgram& loaded = *module_.loaded;
    for (std::size_t i = 0; i < loaded.program.variables.size(); ++i)
      if (loaded.program.variables[i].name == name)
        std::memcpy(exec::GlobalMemory::hostPointer(loaded.variableAddresses[i]), values.data(), values.size() * sizeof(T));
  }

  template <class Parameters>
  void configure(Dim3 grid, Dim3 block, const Parameters& parameters) {
    launch_.grid = grid;
    launch_.block = block;
    if (launch_.kernel->parameterBytes > sizeof parameters) throw Error("the kernel has other parameters than the benchmark");
    launch_.parameters.resize(launch_.kernel->parameterBytes);
    std::memcpy(launch_.parameters.data(), &parameters, launch_.parameters.size());
  }

  // What a launch costs beside its instructions.
  void runSmall(benchmark::State& state) {
    for (auto _ : state) {
      const exec::LaunchResult result = device_.launch(launch_);
      if (result.status != exec::LaunchStatus::completed) return state.SkipWithError(result.message.c_str());
    }
  }

  void run(benchmark::State& state, const std::function<void()>& reference) {
    const double referenceSeconds = bestSeconds(reference);
    u64 instructions = 0;
    double best = std::numeric_limits<double>::infinity();
    for (auto _ : state) {
      const double start = processSeconds();
      const exec::LaunchResult result = device_.launch(launch_);
      best = std::min(best, processSeconds() - start);
      if (result.status != exec::LaunchStatus::completed) return state.SkipWithError(result.message.c_str());
      instructions += result.warpInstructions;
    }
    state.counters["warp_instructions"] = benchmark::Counter(static_cast<double>(instructions), benchmark::Counter::kIsRate);
    state.counters["over_reference"] = best / referenceSeconds;
  }

 private:
  static runtime::Settings settings(With with) {
    runtime::Settings settings;
    settings.machine = config::loadMachine("v100");
    settings.profile = with == With::profile;
    return settings;
  }

  // Processor time, so that other work on the machine distorts the ratio less.
  static double processSeconds() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
  }

  static double bestSeconds(const std::function<void()>& function) {
    double best = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 7; ++i) {
      const double start = processSeconds();
      function();
      benchmark::ClobberMemory();
      best = std::min(best, processSeconds() - start);
    }
    return best;
  }

  runtime::Device device_;
  const runtime::Module& module_;
  runtime::Launch launch_;
};

void saxpy(benchmark::State& state, With with) {
  const u32 n = 2'097'152;
  workloads::Random random(1);
  const std::vector<float> x = workloads::uniformFloats(random, n, -4, 4);
  std::vector<float> y = workloads::uniformFloats(random, n, -4, 4);
  Bench bench("saxpy", "saxpy", with);
  struct {
    float alpha;
    u64 x, y;
    s32 n;
  } parameters{1.75f, bench.upload(x), bench.upload(y), static_cast<s32>(n)};
  bench.configure({n / 1024, 1, 1}, {256, 1, 1}, parameters);
  bench.run(state, [&] { workloads::referenceSaxpy(1.75f, x, y); });
}

void sgemm(benchmark::State& state, With with) {
  const u32 n = 512;
  workloads::Random random(2);
  const std::vector<float> a = workloads::uniformFloats(random, n * n, -1, 1), b = workloads::uniformFloats(random, n * n, -1, 1);
  std::vector<float> c(n * n, 0.0f);
  Bench bench("sgemm", "sgemm", with);
  struct {
    s32 n, k;
    float alpha;
    u64 a, b;
    float beta;
    u64 c;
  } parameters{static_cast<s32>(n), static_cast<s32>(n), 1, bench.upload(a), bench.upload(b), 0, bench.upload(c)};
  bench.configure({n / 16, n / 16, 1}, {16, 16, 1}, parameters);
  bench.run(state, [&] { workloads::referenceSgemm({static_cast<int>(n), static_cast<int>(n), static_cast<int>(n)}, 1, a, b, 0, c); });
}

void transpose(benchmark::State& state, const char* kernel, With with) {
  const u32 n = 1024;
  workloads::Random random(3);
  const std::vector<float> in = workloads::uniformFloats(random, n * n, -1, 1);
  std::vector<float> out(n * n);
  Bench bench("transpose", kernel, with);
  struct {
    u64 out, in;
    s32 width, height;
  } parameters{bench.upload(out), bench.upload(in), static_cast<s32>(n), static_cast<s32>(n)};
  bench.configure({n / 16, n / 16, 1}, {16, 16, 1}, parameters);
  bench.run(state, [&] { workloads::referenceTranspose(out, in, n, n); });
}

void aesEncrypt(benchmark::State& state, With with) {
  const u32 blocks = 257;
  const aes::Tables tables = aes::makeTables(aes::boxes().forward, aes::kMix);
  aes::Bytes cipherKey(32);
  for (std::size_t i = 0; i < cipherKey.size(); ++i) cipherKey[i] = static_cast<aes::Byte>(i * 37);
  const aes::Key key = aes::expandKey(cipherKey);
  const std::vector<aes::Word> schedule = aes::encryptionSchedule(key);
  workloads::Random random(4);
  std::vector<aes::Word> text(blocks * 256);
  for (aes::Word& word : text) word = static_cast<aes::Word>(random.bits());
  Bench bench("aes", "aesEncrypt", with);
  bench.setVariable("roundKeys", schedule);
  struct {
    u64 mixed, last, in, out;
    s32 words, rounds;
  } parameters{bench.upload(tables.mixed), bench.upload(tables.last),     bench.upload(text),
               bench.upload(text),         static_cast<s32>(text.size()), key.rounds};
  bench.configure({blocks, 1, 1}, {256, 1, 1}, parameters);
  bench.run(state, [&] {
    auto* bytes = reinterpret_cast<aes::Byte*>(text.data());
    for (std::size_t at = 0; at < text.size() * 4; at += aes::kBlockBytes) aes::transformBlock(tables, schedule, key.rounds, 1, bytes + at);
  });
}

// Two warps that find nothing to do, of a kernel with few instructions and of one with many.
void launchSaxpy(benchmark::State& state) {
  Bench bench("saxpy", "saxpy", With::nothing);
  struct {
    float alpha;
    u64 x, y;
    s32 n;
  } parameters{1, 0, 0, 0};
  bench.configure({1, 1, 1}, {64, 1, 1}, parameters);
  bench.runSmall(state);
}

void launchAes(benchmark::State& state) {
  const aes::Tables tables = aes::makeTables(aes::boxes().forward, aes::kMix);
  Bench bench("aes", "aesEncrypt", With::nothing);
  struct {
    u64 mixed, last, in, out;
    s32 words, rounds;
  } parameters{bench.upload(tables.mixed), bench.upload(tables.last), 0, 0, 0, 1};
  bench.configure({1, 1, 1}, {64, 1, 1}, parameters);
  bench.runSmall(state);
}

BENCHMARK(launchSaxpy)->Unit(benchmark::kMicrosecond);
BENCHMARK(launchAes)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(sgemm, nothing, With::nothing)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(aesEncrypt, nothing, With::nothing)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(saxpy, nothing, With::nothing)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(transpose, naive, "transposeNaive", With::nothing)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(transpose, tiled, "transposeTiled", With::nothing)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(transpose, padded, "transposePadded", With::nothing)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(sgemm, profile, With::profile)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(aesEncrypt, profile, With::profile)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(saxpy, profile, With::profile)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(transpose, naive_profiled, "transposeNaive", With::profile)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(transpose, tiled_profiled, "transposeTiled", With::profile)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(transpose, padded_profiled, "transposePadded", With::profile)->Unit(benchmark::kMillisecond);

}  // namespace
