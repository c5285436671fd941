// Sums memory that the host got from malloc, which the device does not have: with map-page.ptx beside it, page by page as it is touched.
#include <cstdio>
#include <cstdlib>

__global__ void sum(const int* data, int count, int* result) {
  int own = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) own += data[i];
  atomicAdd(result, own);
}

int main() {
  constexpr int kCount = 1 << 16;
  int* const data = static_cast<int*>(std::malloc(kCount * sizeof(int)));
  long expected = 0;
  for (int i = 0; i < kCount; ++i) expected += data[i] = i % 10;
  int *result, found = 0;
  cudaMalloc(&result, sizeof(int));
  cudaMemset(result, 0, sizeof(int));
  sum<<<32, 128>>>(data, kCount, result);
  const cudaError_t error = cudaMemcpy(&found, result, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("pageable: %s\n", error == cudaSuccess && found == expected ? "correct" : "WRONG");
  return error != cudaSuccess || found != expected;
}
