// What the places of a warp's lanes cost: bank conflicts of shared memory, coalescing of global memory.
#pragma once

#include "latency.cuh"

namespace micro {

inline void measureConflicts(Report& report) {
  for (int stride = 1; stride <= kMostSharedStride; ++stride)
    report.row("stride=" + std::to_string(stride), sharedCycles(kWarpSize, stride), "cycles");
}

// Loads a word, zero, and adds it to the place.
struct WordLoad {
  using Place = Address;
  __device__ void step(Place& place) const {
    asm volatile("{ .reg .u32 word; ld.global.ca.u32 word, [%0]; mad.wide.u32 %0, word, 4, %0; }" : "+l"(place) : : "memory");
  }
};

// What each place costs beyond a load of one word by all lanes. Every access hits in the first-level cache, where there is one.
inline void measureCoalescing(Report& report) {
  constexpr int kMostStride = 32, kMostOffset = 32;
  constexpr size_t kWord = sizeof(int), kBytes = (kMostStride * kWarpSize + kMostOffset) * kWord;
  const AlignedMemory memory(kBytes, 4096);
  WORKLOAD_CHECK(cudaMemset(reinterpret_cast<void*>(memory.start()), 0, kBytes));
  const auto cycles = [&](int stride, int offset) {
    const Lanes lanes{kWarpSize, static_cast<long long>(stride * kWord)};
    return cyclesPerStep(WordLoad{}, memory.start() + offset * kWord, lanes);
  };
  const double broadcast = cycles(0, 0);
  const auto row = [&](int stride, int offset) {
    report.row("stride=" + std::to_string(stride) + " offset=" + std::to_string(offset), cycles(stride, offset) - broadcast, "cycles");
  };
  for (int stride = 1; stride <= kMostStride; ++stride) row(stride, 0);
  for (int offset = 1; offset <= kMostOffset; offset *= 2) row(1, offset);
}

}  // namespace micro
