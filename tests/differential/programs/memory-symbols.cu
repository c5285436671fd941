// Variables of the device under their names: size, address, copies with offsets.
#include "check.hpp"

__device__ int counters[8] = {1, 2, 3, 4, 5, 6, 7, 8};
__constant__ float weights[4] = {0.5f, 0.25f, 0.125f, 2.0f};
__device__ double last;

__global__ void use(double* sum) {
  for (int i = 0; i < 8; ++i) last += counters[i];
  *sum = last;
  for (int i = 0; i < 4; ++i) sum[1] += weights[i];
}

int main() {
  size_t size = 0;
  CUDA(cudaGetSymbolSize(&size, counters));
  check::that(size == 32, "size of an array");
  void* address = nullptr;
  CUDA(cudaGetSymbolAddress(&address, counters));
  const int patch[2] = {100, 200};
  CUDA(cudaMemcpyToSymbol(counters, patch, sizeof patch, 2 * sizeof(int)));
  const int seven = 7;
  CUDA(cudaMemcpy(static_cast<int*>(address) + 7, &seven, sizeof seven, cudaMemcpyHostToDevice));
  const float heavy = 16;
  CUDA(cudaMemcpyToSymbol(weights, &heavy, sizeof heavy, sizeof(float)));

  Buffer<double> sums(2);
  use<<<1, 1>>>(sums);
  check::same(sums.read(), {1 + 2 + 100 + 200 + 5 + 6 + 7 + 7, 0.5 + 16 + 0.125 + 2}, "sums");
  std::vector<int> back(8);
  CUDA(cudaMemcpyFromSymbol(back.data(), counters, sizeof counters));
  check::same(back, {1, 2, 100, 200, 5, 6, 7, 7}, "counters");
  double host = 0;
  CUDA(cudaMemcpyFromSymbolAsync(&host, last, sizeof host, 0, cudaMemcpyDeviceToHost, nullptr));
  CUDA(cudaDeviceSynchronize());
  check::that(host == 328, "scalar");
  int unknown = 0;
  check::code(cudaGetSymbolSize(&size, &unknown), cudaErrorInvalidSymbol, "no symbol");
  cudaGetLastError();
  return check::finish();
}
