// Bandwidth of DRAM and of the L2, read by all SMs: the difference between two amounts, so that launches fall out.
#pragma once

#include <algorithm>

#include "latency.cuh"

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
  readRepeatedly<<<static_cast<int>(attribute(cudaDevAttrMultiProcessorCount)) * 4, 256>>>(words.data(), count, times, sink.data());
  end.record();
  workloads::finishKernels();
  return end.millisecondsSince(begin);
}

constexpr double kBytesPerMillisecond = 1e6;  // a gigabyte a second

inline void measureBandwidth(Report& report) {
  const size_t l2 = std::max<size_t>(attribute(cudaDevAttrL2CacheSize), 512 * 1024), step = 2 * l2 / sizeof(int4);
  {
    const workloads::DeviceArray<int4> words(2 * step);
    const double less = millisecondsOfReading(words, step, 1);
    displaceCaches();
    const double more = millisecondsOfReading(words, 2 * step, 1);
    report.row("dram read", static_cast<double>(step * sizeof(int4)) / (more - less) / kBytesPerMillisecond, "GB/s");
  }
  if (attribute(cudaDevAttrL2CacheSize) == 0) return;
  constexpr int kTimes = 4;
  const size_t inL2 = l2 / 2 / sizeof(int4);
  const workloads::DeviceArray<int4> words(inL2);
  millisecondsOfReading(words, inL2, 1);
  const double less = millisecondsOfReading(words, inL2, kTimes), more = millisecondsOfReading(words, inL2, 2 * kTimes);
  report.row("l2 read", kTimes * static_cast<double>(inL2 * sizeof(int4)) / (more - less) / kBytesPerMillisecond, "GB/s");
}

}  // namespace micro
