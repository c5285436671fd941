// The library as its users have it: through the public header, on CUDA C++ and PTX.
#include "warpwright/simulator.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <numeric>

namespace warpwright {
namespace {

constexpr const char* kSource = R"(
#include <cstdio>
__constant__ float factor = 2;
namespace counts { __device__ int launches[2]; }
__global__ void scale(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = factor * x[i];
  if (i == 0) counts::launches[1]++;
}
__global__ void append(int* list, int number) { list[list[0]++ + 1] = number; }
__global__ void race(int* at) { *at = threadIdx.x; }
__global__ void beyond(int* x, int n) { x[n] = 1; x[0] = 2; }
__global__ void hello(int x) { printf("hello %d\n", x); }
__global__ void work(volatile int* x, int steps) { for (int i = 0; i < steps; ++i) x[threadIdx.x] += i; }
template <typename T> __global__ void fill(T* x, T value) { x[threadIdx.x] = value; }
template __global__ void fill<double>(double*, double);
)";

Simulator loaded(const SimulatorOptions& options) {
  static const std::string ptx = compileCuda({kSource, "kernels.cu", {}}).ptx;
  Simulator gpu(options);
  gpu.load(ptx, "kernels.cu");
  return gpu;
}

Simulator functional(SimulatorOptions options = {}) {
  options.machine = "gtx480";
  options.timed = false;
  return loaded(options);
}

template <class T>
std::uint64_t upload(Simulator& gpu, const std::vector<T>& values) {
  const std::uint64_t address = gpu.allocate(values.size() * sizeof(T));
  gpu.write(address, values.data(), values.size() * sizeof(T));
  return address;
}

template <class T>
std::vector<T> download(Simulator& gpu, std::uint64_t address, std::size_t count) {
  std::vector<T> values(count);
  gpu.read(values.data(), address, count * sizeof(T));
  return values;
}

template <class Action>
std::string failureOf(Action&& action) {
  try {
    action();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "nothing failed";
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Simulator, RunsCudaTextAndReachesItsVariables) {
  Simulator gpu = functional();
  const std::uint64_t x = upload<float>(gpu, {1, 2, 3}), y = gpu.allocate(12);
  gpu.launch("scale", {}, {32}, {x, y, 3});
  EXPECT_EQ(download<float>(gpu, y, 3), (std::vector<float>{2, 4, 6}));

  const Symbol factor = gpu.symbol("factor"), launches = gpu.symbol("counts::launches");
  EXPECT_EQ(factor.bytes, 4u);
  EXPECT_EQ(launches.bytes, 8u);
  const float ten = 10;
  gpu.write(factor.address, &ten, sizeof ten);
  gpu.launch("scale", {}, {32}, {x, y, 3});
  EXPECT_EQ(download<float>(gpu, y, 3), (std::vector<float>{10, 20, 30}));
  EXPECT_EQ(download<int>(gpu, launches.address, 2), (std::vector<int>{0, 2}));
  EXPECT_TRUE(contains(failureOf([&] { gpu.symbol("facto"); }), "did you mean 'factor'?"));
}

TEST(Simulator, SaysWhatIsWrongWithCudaText) {
  Simulator gpu({"gtx480", {}, false});
  const std::string failure = failureOf([&] { gpu.loadCuda({"__global__ void broken() { x = 1; }", "broken.cu", {}}); });
  EXPECT_TRUE(contains(failure, "broken.cu does not compile")) << failure;
  EXPECT_TRUE(contains(failure, "broken.cu:1:28: error: use of undeclared identifier 'x'")) << failure;
  EXPECT_TRUE(contains(gpu.loadCuda({"__global__ void odd() { int unused; }", "odd.cu", {"-Wall"}}), "unused variable"));
  EXPECT_TRUE(contains(failureOf([&] { gpu.loadCuda({"", "a.cu", {"b.cu"}}); }), "'b.cu' is no option"));
}

TEST(Simulator, DescribesKernels) {
  Simulator gpu = functional();
  EXPECT_EQ(gpu.kernels().size(), 7u);
  const KernelInfo info = gpu.kernel("fill");
  EXPECT_EQ(info.name, "_Z4fillIdEvPT_S0_");
  EXPECT_EQ(info.signature, "void fill<double>(double*, double)");
  EXPECT_GT(info.registers, 0u);
  ASSERT_EQ(info.parameters.size(), 2u);
  EXPECT_EQ(info.parameters[0].bytes, 8u);
  EXPECT_FALSE(info.parameters[0].isFloat);
  EXPECT_TRUE(info.parameters[1].isFloat);
  EXPECT_TRUE(contains(failureOf([&] { gpu.kernel("fil"); }), "there is no kernel 'fil'"));
}

TEST(Simulator, FreesMemory) {
  Simulator gpu = functional();
  const std::uint64_t x = upload<int>(gpu, {1});
  gpu.free(x);
  EXPECT_TRUE(contains(failureOf([&] { gpu.free(x); }), "was freed before"));
  EXPECT_TRUE(contains(failureOf([&] { download<int>(gpu, x, 1); }), "not inside memory"));
  EXPECT_TRUE(contains(failureOf([&] { gpu.free(gpu.symbol("factor").address); }), "is not the beginning"));
}

TEST(Simulator, KeepsTheOrderOfAStream) {
  Simulator gpu = functional();
  const std::uint64_t list = upload<int>(gpu, std::vector<int>(8));
  const Stream stream = gpu.createStream();
  for (int number = 1; number <= 4; ++number) gpu.launch(stream, "append", {}, {1}, {list, number});
  EXPECT_EQ(gpu.nanoseconds(), 0u);  // nothing has run
  EXPECT_EQ(download<int>(gpu, list, 5), (std::vector<int>{4, 1, 2, 3, 4}));
  EXPECT_GT(gpu.nanoseconds(), 0u);
  EXPECT_TRUE(contains(failureOf([&] { gpu.launch(Stream{7}, "append", {}, {1}, {list, 1}); }), "there is no stream 7"));
}

std::uint64_t timeOfTwo(bool together) {
  Simulator gpu = loaded({"gtx480"});
  const std::uint64_t x = upload<int>(gpu, std::vector<int>(64));
  const Stream first = gpu.createStream(), second = together ? gpu.createStream() : first;
  gpu.launch(first, "work", {}, {32}, {x, 200});
  gpu.launch(second, "work", {}, {32}, {x + 128, 200});
  gpu.synchronize();
  return gpu.nanoseconds();
}

TEST(Simulator, RunsStreamsSideBySide) {
  const std::uint64_t apart = timeOfTwo(false), together = timeOfTwo(true);
  EXPECT_LT(together, apart * 6 / 10);
  EXPECT_GT(together, apart * 4 / 10);
}

TEST(Simulator, GivesUpWhatIsBehindAFailure) {
  Simulator gpu = functional();
  const std::uint64_t x = upload<int>(gpu, std::vector<int>(4));
  const Stream stream = gpu.createStream();
  gpu.launch(stream, "beyond", {}, {1}, {x, 1000});
  gpu.launch(stream, "append", {}, {1}, {x, 5});
  EXPECT_TRUE(contains(failureOf([&] { gpu.synchronize(); }), "kernels.cu:12"));
  EXPECT_EQ(download<int>(gpu, x, 2), (std::vector<int>{0, 0}));
  gpu.launch("append", {}, {1}, {x, 6});
  EXPECT_EQ(download<int>(gpu, x, 2), (std::vector<int>{1, 6}));
}

TEST(Simulator, ReportsWhatChecksFind) {
  SimulatorOptions options;
  options.checks = "races";
  options.stopOnFault = false;
  Simulator gpu = functional(options);
  const std::uint64_t x = upload<int>(gpu, {0});
  EXPECT_TRUE(contains(failureOf([&] { gpu.launch("race", {}, {64}, {x}); }), "race in global memory"));
  gpu.launch("beyond", {}, {1}, {x, 100});
  const std::vector<std::string> warnings = gpu.takeWarnings();
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_TRUE(contains(warnings[0], "the kernel goes on")) << warnings[0];
  EXPECT_TRUE(gpu.takeWarnings().empty());
  EXPECT_EQ(download<int>(gpu, x, 1), std::vector<int>{2});
  options.checks = "rases";
  EXPECT_TRUE(contains(failureOf([&] { functional(options); }), "did you mean 'races'?"));
}

TEST(Simulator, HandsOutWhatKernelsPrint) {
  std::string printed;
  SimulatorOptions options;
  options.print = [&](std::string_view text) { printed += text; };
  functional(options).launch("hello", {}, {1}, {7});
  EXPECT_EQ(printed, "hello 7\n");
}

TEST(Simulator, StopsWhenAsked) {
  int asked = 0;
  SimulatorOptions options;
  options.mustStop = [&] { return ++asked == 3; };
  Simulator gpu = functional(options);
  const std::uint64_t x = upload<int>(gpu, std::vector<int>(32));
  const std::string failure = failureOf([&] { gpu.launch("work", {}, {32}, {x, 2'000'000'000}); });
  EXPECT_TRUE(contains(failure, "stopped as the program that launched it asked")) << failure;
  EXPECT_EQ(asked, 3);
}

TEST(Simulator, RefusesMisspeltStatistics) {
  Simulator gpu = functional();
  const std::uint64_t x = upload<float>(gpu, {1}), y = gpu.allocate(4);
  EXPECT_EQ(gpu.statistic("scale", "threads"), std::nullopt);  // not launched
  gpu.launch("scale", {}, {32}, {x, y, 1});
  EXPECT_EQ(gpu.statistic("scale", "threads"), 32);
  EXPECT_EQ(gpu.statistic("scale", "timing.counters.cycles"), std::nullopt);  // there is no time
  EXPECT_TRUE(contains(failureOf([&] { gpu.statistic("scale", "thread"); }), "did you mean 'threads'?"));
  EXPECT_TRUE(contains(failureOf([&] { gpu.statistic("scale", "counters.global.loads.sector"); }), "'counters.global.loads.sectors'?"));
  EXPECT_TRUE(contains(failureOf([&] { gpu.statistic("scala", "threads"); }), "there is no kernel 'scala'"));
  EXPECT_TRUE(contains(gpu.statistics(), "\"signature\": \"scale(float const*, float*, int)\""));
}

TEST(Simulator, WritesTracesAndAccountsForEnergy) {
  const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "embed_series.csv";
  SimulatorOptions options;
  options.machine = "gtx480";
  options.seriesFile = file.string();
  options.traceInterval = 100;
  options.energyTable = "40nm";
  Simulator gpu = loaded(options);
  const std::uint64_t x = upload<int>(gpu, std::vector<int>(32));
  gpu.launch("work", {}, {32}, {x, 20});
  gpu.writeTraces();
  std::ifstream written(file);
  const auto rows = std::count(std::istreambuf_iterator<char>(written), {}, '\n');
  EXPECT_GT(rows, *gpu.statistic("work", "timing.counters.cycles") / 100);
  EXPECT_GT(*gpu.statistic("work", "timing.energy.total.value"), 0);
  std::filesystem::remove(file);
  options.timed = false;
  EXPECT_TRUE(contains(failureOf([&] { Simulator{options}; }), "traces of a functional simulation"));
}

TEST(Catalogue, HasMachinesMechanismsAndStatistics) {
  const std::vector<std::string> machines = machineNames();
  EXPECT_NE(std::find(machines.begin(), machines.end(), "gtx480"), machines.end());
  EXPECT_TRUE(contains(machineText("gtx480", {"l1d.ways=8"}), "ways = 8"));
  EXPECT_TRUE(contains(machineKeys(), "{\"key\":\"l1d.ways\","));
  EXPECT_TRUE(contains(mechanismList(), "{\"name\":\"affine-tags\","));
  EXPECT_GT(statisticNames().size(), 100u);
  EXPECT_TRUE(contains(Simulator({"gtx480", {"l1d.ways=8"}, false}).machine(), "ways = 8"));
}

}  // namespace
}  // namespace warpwright
