// Kernels that wait for what other streams and the host do: they must run side by side, or take turns.
#include "check.hpp"

__global__ void waitFor(volatile int* flag, int* out) {
  while (*flag == 0) {
  }
  *out = *flag + 1;
}

__global__ void raise(int* flag, int value) { *flag = value; }

// Counts to `last`, in turns with a kernel that counts the other numbers.
__global__ void take(volatile int* count, int mine, int last) {
  for (int next = mine; next <= last; next += 2) {
    while (*count != next - 1) {
    }
    __threadfence();
    *count = next;
  }
}

// Waits with a count of its own, so that no two rounds of its loop are the same.
__global__ void waitCounting(volatile int* flag, unsigned* rounds) {
  unsigned count = 0;
  while (*flag == 0) ++count;
  *rounds = count == 0xffffffff ? 2 : 1;
}

void CUDART_CB raiseOnHost(void* flag) { *static_cast<volatile int*>(flag) = 7; }

int main() {
  cudaStream_t a, b;
  CUDA(cudaStreamCreate(&a));
  CUDA(cudaStreamCreate(&b));
  int *flags = nullptr, *mapped = nullptr;
  CUDA(cudaMalloc(&flags, 8 * sizeof(int)));
  CUDA(cudaHostAlloc(&mapped, 2 * sizeof(int), cudaHostAllocMapped));
  CUDA(cudaMemset(flags, 0, 8 * sizeof(int)));
  mapped[0] = mapped[1] = 0;
  CUDA(cudaDeviceSynchronize());

  waitFor<<<1, 1, 0, a>>>(flags, flags + 1);
  raise<<<1, 1, 0, b>>>(flags, 41);
  CUDA(cudaDeviceSynchronize());

  take<<<1, 1, 0, a>>>(flags + 2, 1, 20);
  take<<<1, 1, 0, b>>>(flags + 2, 2, 20);
  CUDA(cudaDeviceSynchronize());

  waitCounting<<<1, 32, 0, a>>>(flags + 3, reinterpret_cast<unsigned*>(flags + 4));
  raise<<<1, 1, 0, b>>>(flags + 3, 1);
  CUDA(cudaStreamSynchronize(a));

  waitFor<<<1, 1, 0, a>>>(mapped, flags + 5);
  *static_cast<volatile int*>(mapped) = 5;
  CUDA(cudaStreamSynchronize(a));

  waitFor<<<1, 1, 0, a>>>(mapped + 1, flags + 6);
  CUDA(cudaLaunchHostFunc(b, raiseOnHost, mapped + 1));
  CUDA(cudaStreamSynchronize(a));

  std::vector<int> got(7);
  CUDA(cudaMemcpy(got.data(), flags, got.size() * sizeof(int), cudaMemcpyDeviceToHost));
  check::same(got, {41, 42, 20, 1, 1, 6, 8}, "flags");
  return check::finish();
}
