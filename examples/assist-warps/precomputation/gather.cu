// Each warp adds up rows of 32 numbers that lie all over a large table, where its list says: few warps, which wait for each row in turn.
// docs/assist-warps/precomputation.md speaks of it.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void gather(const int* list, const float* numbers, float* sums, int count) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const int* own = list + thread / 32 * count;
  const float* column = numbers + thread % 32;
  float sum = 0;
#pragma unroll 1
  for (int i = 0; i < count; ++i) sum += column[own[i] * 32];
  sums[thread] = sum;
}

int main(int argc, char** argv) {
  const int blocks = argc > 1 ? std::atoi(argv[1]) : 15, threads = 64, each = 64, count = blocks * threads / 32 * each, size = 1 << 20;
  std::vector<int> list(count);
  std::vector<float> numbers(size);
  unsigned random = 1;
  for (int& place : list) place = static_cast<int>((random = random * 1664525u + 1013904223u) >> 17);
  for (int i = 0; i < size; ++i) numbers[i] = static_cast<float>(i % 7);
  int* deviceList = nullptr;
  float *deviceNumbers = nullptr, *deviceSums = nullptr;
  cudaMalloc(reinterpret_cast<void**>(&deviceList), count * sizeof(int));
  cudaMalloc(reinterpret_cast<void**>(&deviceNumbers), size * sizeof(float));
  cudaMalloc(reinterpret_cast<void**>(&deviceSums), blocks * threads * sizeof(float));
  cudaMemcpy(deviceList, list.data(), count * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(deviceNumbers, numbers.data(), size * sizeof(float), cudaMemcpyHostToDevice);
  gather<<<blocks, threads>>>(deviceList, deviceNumbers, deviceSums, each);
  std::vector<float> sums(blocks * threads);
  cudaMemcpy(sums.data(), deviceSums, sums.size() * sizeof(float), cudaMemcpyDeviceToHost);
  double difference = 0;
  for (int i = 0; i < count; ++i)
    for (int column = 0; column < 32; ++column) difference += numbers[list[i] * 32 + column];
  for (const float sum : sums) difference -= sum;
  std::printf("%s\n", difference == 0 ? "correct" : "wrong");
  return difference == 0 ? 0 : 1;
}
