// Constant memory: one address for the warp, another for each lane, structures, and the whole 64 KB.
#include "check.hpp"

struct Entry {
  short key;
  double weight;
};
__constant__ Entry entries[16];
__constant__ int large[15000];
__constant__ const float fixed[3] = {1.5f, -2.25f, 1e10f};

__global__ void uniform(double* out) {
  double sum = 0;
  for (const Entry& entry : entries) sum += entry.key * entry.weight;
  out[threadIdx.x] = sum + fixed[threadIdx.x % 3];
}
__global__ void divergent(int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = large[(i * 7919) % 15000];
}

int main() {
  Entry host[16];
  double sum = 0;
  for (int i = 0; i < 16; ++i) {
    host[i] = {static_cast<short>(i - 8), 0.5 * i};
    sum += (i - 8) * (0.5 * i);
  }
  CUDA(cudaMemcpyToSymbol(entries, host, sizeof host));
  const auto values = table(15000, [](size_t i) { return static_cast<int>(i * i); });
  CUDA(cudaMemcpyToSymbol(large, values.data(), sizeof large));
  Buffer<double> sums(64);
  uniform<<<1, 64>>>(sums);
  check::same(sums.read(), table(64, [=](size_t i) { return sum + (i % 3 == 0 ? 1.5 : i % 3 == 1 ? -2.25 : 1e10); }), "uniform");
  Buffer<int> out(1024);
  divergent<<<4, 256>>>(out);
  check::same(out.read(), table(1024, [](size_t i) { return static_cast<int>(i * 7919 % 15000 * (i * 7919 % 15000)); }), "divergent");
  return check::finish();
}
