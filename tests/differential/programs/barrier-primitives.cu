// cuda_awbarrier_primitives.h: phases by token and by parity, tested and awaited, a thread that drops out, copies that arrive.
// arch: 90
#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline_primitives.h>

#include "check.hpp"

constexpr int kThreads = 64;

__global__ void phases(int* out, unsigned* pending) {
  __shared__ __mbarrier_t barrier;
  __shared__ int total;
  if (threadIdx.x == 0) {
    total = 0;
    __mbarrier_init(&barrier, kThreads);
  }
  __syncthreads();
  atomicAdd(&total, 1);
  const __mbarrier_token_t token = __mbarrier_arrive(&barrier);
  if (threadIdx.x == 0) *pending = __mbarrier_token_pending_count(token) <= kThreads;
  while (!__mbarrier_test_wait(&barrier, token)) {
  }
  out[threadIdx.x] = *static_cast<volatile int*>(&total);
  __syncthreads();
  // The second phase loses its last thread, so that the third needs one arrival less.
  if (threadIdx.x == kThreads - 1) {
    __mbarrier_arrive_and_drop(&barrier);
    return;
  }
  __mbarrier_arrive(&barrier);
  while (!__mbarrier_test_wait_parity(&barrier, true)) {
  }
  atomicAdd(&total, 1);
  __mbarrier_arrive(&barrier);
  while (!__mbarrier_try_wait_parity(&barrier, false, 100)) {
  }
  out[kThreads + threadIdx.x] = *static_cast<volatile int*>(&total);
}

__global__ void copies(const int* in, int* out) {
  __shared__ __mbarrier_t barrier;
  __shared__ int tile[kThreads];
  if (threadIdx.x == 0) __mbarrier_init(&barrier, kThreads);
  __syncthreads();
  __pipeline_memcpy_async(&tile[threadIdx.x], in + threadIdx.x, sizeof(int));
  __pipeline_arrive_on(&barrier);
  const __mbarrier_token_t token = __mbarrier_arrive(&barrier);
  while (!__mbarrier_test_wait(&barrier, token)) {
  }
  out[threadIdx.x] = tile[kThreads - 1 - threadIdx.x];
}

int main() {
  check::that(__mbarrier_maximum_count() == (1u << 14) - 1, "maximum count");
  Buffer<int> out(2 * kThreads);
  Buffer<unsigned> pending(1);
  phases<<<1, kThreads>>>(out, pending);
  check::same(out.read(), table(2 * kThreads, [](size_t i) { return i < kThreads ? kThreads : i == 2 * kThreads - 1 ? 0 : 2 * kThreads - 1; }),
              "phases");
  check::that(pending.read()[0] == 1, "pending count");
  const auto values = table(kThreads, [](size_t i) { return static_cast<int>(7 * i); });
  Buffer<int> in(values), reversed(kThreads);
  copies<<<1, kThreads>>>(in, reversed);
  check::same(reversed.read(), table(kThreads, [&](size_t i) { return values[kThreads - 1 - i]; }), "copies");
  return check::finish();
}
