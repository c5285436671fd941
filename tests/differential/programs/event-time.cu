// Events measure time, which runs forwards; those without timing, or not recorded, cannot be asked.
#include "check.hpp"

__global__ void spin(int* out, int rounds) {
  int value = threadIdx.x;
  for (int i = 0; i < rounds; ++i) value = value * 1664525 + 1013904223;
  out[threadIdx.x] = value;
}

int main() {
  Buffer<int> out(32);
  cudaEvent_t events[3], untimed, unused;
  for (cudaEvent_t& event : events) CUDA(cudaEventCreate(&event));
  CUDA(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
  CUDA(cudaEventCreate(&unused));
  CUDA(cudaEventRecord(events[0]));
  spin<<<1, 32>>>(out, 100);
  CUDA(cudaEventRecord(events[1]));
  spin<<<1, 32>>>(out, 10000);
  CUDA(cudaEventRecord(events[2]));
  CUDA(cudaEventRecord(untimed));
  CUDA(cudaEventSynchronize(events[2]));
  check::code(cudaEventQuery(events[2]), cudaSuccess, "query");

  float shorter = 0, longer = 0, both = 0;
  CUDA(cudaEventElapsedTime(&shorter, events[0], events[1]));
  CUDA(cudaEventElapsedTime(&longer, events[1], events[2]));
  CUDA(cudaEventElapsedTime(&both, events[0], events[2]));
  check::that(shorter > 0 && longer > shorter, "a hundred times the work takes longer");
  check::that(both > 0.99f * (shorter + longer) && both < 1.01f * (shorter + longer), "times add up");
  check::code(cudaEventElapsedTime(&both, events[0], untimed), cudaErrorInvalidResourceHandle, "event without timing");
  check::code(cudaEventElapsedTime(&both, events[0], unused), cudaErrorInvalidResourceHandle, "event never recorded");
  cudaGetLastError();

  auto wanted = table(32, [](size_t i) { return static_cast<unsigned>(i); });
  for (unsigned& value : wanted) {
    for (int i = 0; i < 10000; ++i) value = value * 1664525u + 1013904223u;
  }
  check::same(out.read(), std::vector<int>(wanted.begin(), wanted.end()), "values");
  return check::finish();
}
