// C = alpha A B + beta C in single precision, row-major, with 16 x 16 tiles of A and B in shared memory.
#include "../common/workload.hpp"
#include "reference.hpp"

using namespace workloads;

constexpr int kTile = 16;

// A is m x k, B is k x n, C is m x n; all three are multiples of the tile.
__global__ void sgemm(int n, int k, float alpha, const float* a, const float* b, float beta, float* c) {
  __shared__ float tileA[kTile][kTile];
  __shared__ float tileB[kTile][kTile];
  const int row = blockIdx.y * kTile + threadIdx.y;
  const int column = blockIdx.x * kTile + threadIdx.x;

  float sum = 0.0f;
  for (int first = 0; first < k; first += kTile) {
    tileA[threadIdx.y][threadIdx.x] = a[row * k + first + threadIdx.x];
    tileB[threadIdx.y][threadIdx.x] = b[(first + threadIdx.y) * n + column];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kTile; ++i) sum += tileA[threadIdx.y][i] * tileB[i][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = alpha * sum + beta * c[row * n + column];
}

int main(int argc, char** argv) {
  const Options options = parseOptions(argc, argv,
                                       {"sgemm",
                                        "C = alpha A B + beta C, single precision, 16 x 16 shared tiles",
                                        "256 x 192, inner dimension 160",
                                        "768 x 768, inner dimension 768",
                                        "1024 x 992, inner dimension 1056",
                                        {}});
  const Shape shape = options.pick(Shape{256, 192, 160}, Shape{768, 768, 768}, Shape{1024, 992, 1056});
  const float alpha = 1.25f, beta = -0.5f;

  Random random(3);
  // A layer of a network, as most products of matrices are today: activations of which max(0, x) has left half, and weights with the
  // deviation that keeps their size (He et al., ICCV 2015).
  std::vector<float> a = normalFloats(random, size_t(shape.m) * shape.k, 1.0f);
  for (float& activation : a) activation = std::max(0.0f, activation);
  const std::vector<float> b = normalFloats(random, size_t(shape.k) * shape.n, std::sqrt(2.0f / shape.k));
  std::vector<float> expected = normalFloats(random, size_t(shape.m) * shape.n, 1.0f);

  Timings timings;
  const DeviceArray<float> deviceA(a), deviceB(b), deviceC(expected);
  const dim3 grid(shape.n / kTile, shape.m / kTile), block(kTile, kTile);
  timings.kernels([&] { sgemm<<<grid, block>>>(shape.n, shape.k, alpha, deviceA.data(), deviceB.data(), beta, deviceC.data()); });
  timings.reference([&] { referenceSgemm(shape, alpha, a, b, beta, expected); });
  timings.print();

  // Both sums run in the same order; fused and separate roundings of k products below 1 drift apart like sqrt(k) ulps.
  return report("sgemm", expectNear("c", expected, deviceC.download(), 1e-5f, 5e-5f));
}
