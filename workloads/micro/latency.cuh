// Latency of each level of the memory system, by chains of dependent loads of one lane.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "loads.cuh"
#include "report.hpp"

namespace micro {

struct SharedLoad {
  using Place = unsigned;
  __device__ void step(Place& place) const { asm volatile("ld.shared.u32 %0, [%0];" : "+r"(place) : : "memory"); }
};

constexpr int kMostSharedStride = 64;

// Each lane loads its own place, `strideWords` words behind that of the lane before.
__global__ void chaseShared(int strideWords, Clock* result) {
  __shared__ unsigned words[kMostSharedStride * kWarpSize];
  unsigned* const mine = words + strideWords * threadIdx.x;
  const unsigned place = static_cast<unsigned>(__cvta_generic_to_shared(mine));
  *mine = place;
  __syncthreads();
  const Clock cycles = timeChain(SharedLoad{}, place, place);
  if (threadIdx.x == 0) *result = cycles;
}

inline double sharedCycles(int lanes, int strideWords) {
  workloads::DeviceArray<Clock> result(1);
  chaseShared<<<1, lanes>>>(strideWords, result.data());
  return static_cast<double>(valueOf(result)) / kSteps;
}

// A ring of one line: every load but the first hits.
template <class Area>
double hitCycles() {
  const Area area(kConstantBytes);
  return cyclesPerStep(area.load(), area.link(1, sizeof(Address)));
}

inline void measureLatencies(Report& report) {
  report.row("shared", sharedCycles(1, 0), "cycles");
  report.row("l1", hitCycles<GlobalArea<CachedLoad>>(), "cycles");
  report.row("l2", hitCycles<GlobalArea<L2Load>>(), "cycles");
  report.row("constant", hitCycles<ConstantArea>(), "cycles");
  report.row("texture", hitCycles<TextureArea>(), "cycles");
}

// --- DRAM

// Reads as much as displaces everything else from the caches.
__global__ void readAll(const int* words, size_t count, int* sink) {
  int sum = 0;
  for (size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x; i < count; i += size_t{gridDim.x} * blockDim.x) sum += __ldcg(words + i);
  if (sum == 1) *sink = sum;
}

inline size_t attribute(cudaDeviceAttr which) {
  int value = 0;
  WORKLOAD_CHECK(cudaDeviceGetAttribute(&value, which, 0));
  return static_cast<size_t>(value);
}

inline void displaceCaches() {
  const size_t count = 2 * attribute(cudaDevAttrL2CacheSize) / sizeof(int) + 1024;
  workloads::DeviceArray<int> words(count), sink(1);
  readAll<<<static_cast<int>(attribute(cudaDevAttrMultiProcessorCount)) * 2, 256>>>(words.data(), count, sink.data());
  workloads::finishKernels();
}

// Loads of lines that no cache holds, a stride apart. What the stride meets, a row that is open or another of the same bank, depends on the
// machine.
inline void measureDram(Report& report) {
  constexpr int kElements = 4 * kSteps;
  constexpr size_t kLeast = 128, kMost = 1 << 20;
  std::vector<size_t> strides;
  for (size_t stride = kLeast; stride <= kMost; stride *= 2) {
    strides.push_back(stride);
    strides.push_back(3 * stride);
  }
  std::vector<std::unique_ptr<AlignedMemory>> areas;
  for (const size_t stride : strides) {
    areas.push_back(std::make_unique<AlignedMemory>(kElements * stride, 3 * kMost));
    linkRing<Address>(areas.back()->start(), kElements, stride, areas.back()->start(), stride);
  }
  const GlobalArea<L2Load> warm(kConstantBytes);
  const Address warmUp = warm.link(1, sizeof(Address));
  displaceCaches();
  for (size_t i = 0; i < strides.size(); ++i)
    report.row("stride=" + std::to_string(strides[i]), cyclesPerStep(L2Load{}, areas[i]->start(), warmUp), "cycles");
}

}  // namespace micro
