// Bandwidth of DRAM and of the L2, read by all SMs: the difference between two amounts, so that launches fall out; and of the memory in an
// SM.
#pragma once

#include <algorithm>

#include "instructions.cuh"

namespace micro {

class Event {
 public:
  Event() { WORKLOAD_CHECK(cudaEventCreate(&event_)); }
  ~Event() { cudaEventDestroy(event_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  void record() { WORKLOAD_CHECK(cudaEventRecord(event_)); }
  double millisecondsSince(const Event& before) const {
    float milliseconds = 0;
    WORKLOAD_CHECK(cudaEventSynchronize(event_));
    WORKLOAD_CHECK(cudaEventElapsedTime(&milliseconds, before.event_, event_));
    return milliseconds;
  }

 private:
  cudaEvent_t event_ = nullptr;
};

// Four words a lane, beside the first-level cache.
__global__ void readRepeatedly(const int4* words, size_t count, int times, int* sink) {
  int sum = 0;
  for (int time = 0; time < times; ++time) {
    for (size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x; i < count; i += size_t{gridDim.x} * blockDim.x) {
      const int4 four = __ldcg(words + i);
      sum += four.x ^ four.y ^ four.z ^ four.w;
    }
  }
  if (sum == 1) *sink = sum;
}

inline double millisecondsOfReading(const workloads::DeviceArray<int4>& words, size_t count, int times) {
  workloads::DeviceArray<int> sink(1);
  Event begin, end;
  begin.record();
  constexpr int kThreads = 256;
  const size_t blocks = attribute(cudaDevAttrMultiProcessorCount) * (attribute(cudaDevAttrMaxThreadsPerMultiProcessor) / kThreads);
  readRepeatedly<<<static_cast<int>(blocks), kThreads>>>(words.data(), count, times, sink.data());
  end.record();
  workloads::finishKernels();
  return end.millisecondsSince(begin);
}

constexpr double kBytesPerMillisecond = 1e6;  // a gigabyte a second

// Each lane loads its own place, which holds itself, again and again.
template <class Load>
__device__ void saturateLoads(const Load& load, typename Load::Place mine, int rounds, Span* spans) {
  typename Load::Place places[kChains];
  for (int chain = 0; chain < kChains; ++chain) places[chain] = mine;
  __syncthreads();
  Span span{readClock(), 0};
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int i = 0; i < kLength; ++i) load.step(places[i % kChains]);
  }
  for (int chain = 0; chain < kChains; ++chain) await(places[chain]);
  span.end = readClock();
  if (threadIdx.x % kWarpSize == 0) spans[threadIdx.x / kWarpSize] = span;
}

__global__ void saturateL1(Address* places, int rounds, Span* spans) {
  Address* const mine = places + threadIdx.x;
  *mine = reinterpret_cast<Address>(mine);
  saturateLoads(CachedLoad{}, reinterpret_cast<Address>(mine), rounds, spans);
}

__global__ void saturateShared(Address*, int rounds, Span* spans) {
  __shared__ unsigned places[1024];
  unsigned* const mine = places + threadIdx.x;
  *mine = static_cast<unsigned>(__cvta_generic_to_shared(mine));
  saturateLoads(SharedLoad{}, *mine, rounds, spans);
}

using SaturateLoads = void (*)(Address*, int, Span*);

// Bytes a cycle of one SM, by as many warps as a block may have.
inline double bytesPerCycle(SaturateLoads kernel, size_t bytesOfALane) {
  constexpr int kRounds = 4;
  const int threads = mostThreads();
  const workloads::DeviceArray<Address> places(threads);
  const auto cycles = [&](int rounds) {
    workloads::DeviceArray<Span> spans(threads / kWarpSize);
    kernel<<<1, threads>>>(places.data(), rounds, spans.data());
    workloads::finishKernels();
    return cyclesOf(spans.download());
  };
  cycles(kRounds);  // brings the code near
  const double more = cycles(2 * kRounds);
  return static_cast<double>(bytesOfALane) * threads * kLength * kRounds / (more - cycles(kRounds));
}

inline void measureBandwidth(Report& report) {
  report.row("shared read", bytesPerCycle(saturateShared, sizeof(SharedLoad::Place)), "bytes/cycle/SM");
  report.row("l1 read", bytesPerCycle(saturateL1, sizeof(CachedLoad::Place)), "bytes/cycle/SM");
  const size_t l2 = std::max<size_t>(attribute(cudaDevAttrL2CacheSize), 512 * 1024);
  // Whole rounds of all threads: a last one of few threads would take the time of more.
  const size_t round = attribute(cudaDevAttrMultiProcessorCount) * attribute(cudaDevAttrMaxThreadsPerMultiProcessor);
  const size_t step = (4 * l2 / sizeof(int4) + round - 1) / round * round;
  {
    const workloads::DeviceArray<int4> words(2 * step);
    millisecondsOfReading(words, round, 1);  // brings the code near
    displaceCaches();
    const double less = millisecondsOfReading(words, step, 1);
    displaceCaches();
    const double more = millisecondsOfReading(words, 2 * step, 1);
    report.row("dram read", static_cast<double>(step * sizeof(int4)) / (more - less) / kBytesPerMillisecond, "GB/s");
  }
  if (attribute(cudaDevAttrL2CacheSize) == 0) return;
  constexpr int kTimes = 16;
  const size_t inL2 = l2 / 4 / sizeof(int4);  // an L2 of two halves keeps what an SM reads in its own
  const workloads::DeviceArray<int4> words(inL2);
  millisecondsOfReading(words, inL2, 1);
  const double less = millisecondsOfReading(words, inL2, kTimes), more = millisecondsOfReading(words, inL2, 2 * kTimes);
  report.row("l2 read", kTimes * static_cast<double>(inL2 * sizeof(int4)) / (more - less) / kBytesPerMillisecond, "GB/s");
}

}  // namespace micro
