// Random numbers through cuRAND, and a kernel of the program's own that uses them: the area of a quarter of a circle.
#include <curand.h>

#include <cstdio>

__global__ void countInside(const float* points, int count, int* inside) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count && points[2 * i] * points[2 * i] + points[2 * i + 1] * points[2 * i + 1] <= 1.0f) atomicAdd(inside, 1);
}

int main() {
  constexpr int kCount = 50000;
  float* points = nullptr;
  int *inside = nullptr, found = 0;
  cudaMalloc(reinterpret_cast<void**>(&points), 2 * kCount * sizeof(float));
  cudaMalloc(reinterpret_cast<void**>(&inside), sizeof(int));
  cudaMemset(inside, 0, sizeof(int));
  curandGenerator_t generator;
  bool right = curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT) == CURAND_STATUS_SUCCESS;
  right &= curandSetPseudoRandomGeneratorSeed(generator, 7) == CURAND_STATUS_SUCCESS;
  right &= curandGenerateUniform(generator, points, 2 * kCount) == CURAND_STATUS_SUCCESS;
  countInside<<<(kCount + 127) / 128, 128>>>(points, kCount, inside);
  cudaMemcpy(&found, inside, sizeof(int), cudaMemcpyDeviceToHost);
  curandDestroyGenerator(generator);
  const double pi = 4.0 * found / kCount;
  right &= pi > 3.10 && pi < 3.18;  // five standard deviations
  std::puts(right ? "right" : "WRONG");
  return right ? 0 : 1;
}
