// Runs saxpy on a simulated GTX 480 with two sizes of its L1 cache, and prints what it cost.
#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>
#include <warpwright/simulator.hpp>

namespace {

constexpr int kElements = 1 << 16;
constexpr unsigned kThreads = 256;

std::string textOf(const char* file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void simulate(const std::string& ptx, const std::string& l1Bytes, const std::string& l1Ways) {
  warpwright::Simulator gpu({.machine = "gtx480", .overrides = {"l1d.bytes=" + l1Bytes, "l1d.ways=" + l1Ways}});
  gpu.load(ptx, "saxpy.ptx");

  std::vector<float> x(kElements, 1.0f), y(kElements, 2.0f);
  const std::size_t bytes = kElements * sizeof(float);
  const std::uint64_t deviceX = gpu.allocate(bytes), deviceY = gpu.allocate(bytes);
  gpu.write(deviceX, x.data(), bytes);
  gpu.write(deviceY, y.data(), bytes);
  gpu.launch("saxpy", {kElements / kThreads}, {kThreads}, {kElements, 3.0f, deviceX, deviceY});
  gpu.read(y.data(), deviceY, bytes);

  std::printf("L1 of %s bytes: y[0] = %g, %.0f cycles, %.0f sectors loaded, L1 hit rate %.2f\n", l1Bytes.c_str(), y[0],
              *gpu.statistic("saxpy", "timing.counters.cycles"), *gpu.statistic("saxpy", "counters.global.loads.sectors"),
              gpu.statistic("saxpy", "timing.figures.l1d_hit_rate").value_or(0));
}

}  // namespace

int main() {
  try {
    const std::string ptx = textOf(PTX_FILE);
    simulate(ptx, "16384", "4");
    simulate(ptx, "49152", "6");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
