// Cost of barriers by the warps that meet, and of atomics by the words that lanes share.
#pragma once

#include "bandwidth.cuh"

namespace micro {

struct Barrier {
  using Place = unsigned;
  __device__ void step(Place&) const { __syncthreads(); }
};

inline void measureBarriers(Report& report) {
  for (int threads = kWarpSize; threads <= mostThreads(); threads *= 2)
    report.row("warps=" + std::to_string(threads / kWarpSize), cyclesPerStep(Barrier{}, 0u, Lanes{threads}), "cycles");
}

// Each lane adds the old value, zero, to its word.
struct GlobalAtomic {
  using Place = unsigned;
  unsigned* word;
  __device__ void step(Place& old) const { asm volatile("atom.global.add.u32 %0, [%1], %0;" : "+r"(old) : "l"(word) : "memory"); }
};
struct SharedAtomic {
  using Place = unsigned;
  unsigned word;
  __device__ void step(Place& old) const { asm volatile("atom.shared.add.u32 %0, [%1], %0;" : "+r"(old) : "r"(word) : "memory"); }
};

__global__ void chainGlobalAtomics(unsigned* words, int strideWords, Clock* result) {
  const Clock cycles = timeChain(GlobalAtomic{words + strideWords * threadIdx.x}, 0, 0);
  if (threadIdx.x == 0) *result = cycles;
}

__global__ void chainSharedAtomics(int strideWords, Clock* result) {
  __shared__ unsigned words[kWarpSize];
  words[threadIdx.x] = 0;
  __syncthreads();
  const SharedAtomic step{static_cast<unsigned>(__cvta_generic_to_shared(words + strideWords * threadIdx.x))};
  const Clock cycles = timeChain(step, 0, 0);
  if (threadIdx.x == 0) *result = cycles;
}

inline double globalAtomicCycles(unsigned* words, int lanes, int strideWords) {
  workloads::DeviceArray<Clock> result(1);
  chainGlobalAtomics<<<1, lanes>>>(words, strideWords, result.data());
  return static_cast<double>(valueOf(result)) / kSteps;
}

inline double sharedAtomicCycles(int strideWords) {
  workloads::DeviceArray<Clock> result(1);
  chainSharedAtomics<<<1, kWarpSize>>>(strideWords, result.data());
  return static_cast<double>(valueOf(result)) / kSteps;
}

// All lanes of all SMs add without a result: to words of their own, or all to one.
__global__ void addRepeatedly(unsigned* words, int strideWords, int times) {
  unsigned* const word = words + size_t{blockIdx.x * blockDim.x + threadIdx.x} * strideWords;
  for (int time = 0; time < times; ++time) asm volatile("red.global.add.u32 [%0], 1;" : : "l"(word) : "memory");
}

// Additions a nanosecond of all SMs together.
inline double additionsPerNanosecond(int strideWords, int times) {
  constexpr int kThreads = 256;
  constexpr double kNanosecondsPerMillisecond = 1e6;
  const int blocks = static_cast<int>(attribute(cudaDevAttrMultiProcessorCount)) * 2;
  const workloads::DeviceArray<unsigned> words(size_t{kThreads} * blocks);
  const auto milliseconds = [&](int count) {
    Event begin, end;
    begin.record();
    addRepeatedly<<<blocks, kThreads>>>(words.data(), strideWords, count);
    end.record();
    workloads::finishKernels();
    return end.millisecondsSince(begin);
  };
  milliseconds(times);
  const double more = milliseconds(2 * times) - milliseconds(times);
  return static_cast<double>(blocks) * kThreads * times / (more * kNanosecondsPerMillisecond);
}

inline void measureAtomics(Report& report) {
  const AlignedMemory memory(4096, 4096);
  auto* const words = reinterpret_cast<unsigned*>(memory.start());
  WORKLOAD_CHECK(cudaMemset(words, 0, kWarpSize * sizeof(unsigned)));
  for (int lanes = 1; lanes <= kWarpSize; lanes *= 2) {
    const std::string name = "global lanes=" + std::to_string(lanes);
    report.row(name + " one word", globalAtomicCycles(words, lanes, 0), "cycles");
    report.row(name + " own words", globalAtomicCycles(words, lanes, 1), "cycles");
  }
  report.row("all SMs one word", additionsPerNanosecond(0, 2), "additions/ns");
  report.row("all SMs own words", additionsPerNanosecond(1, 256), "additions/ns");
  report.row("shared one word", sharedAtomicCycles(0), "cycles");
  report.row("shared own words", sharedAtomicCycles(1), "cycles");
}

}  // namespace micro
