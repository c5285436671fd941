// C = alpha A B + beta C in single precision. In the variant `tiles` all is row-major, and 16 x 16 tiles of A and B lie in shared memory.
// In the variant `registers` (Volkov and Demmel, "Benchmarking GPUs to tune dense linear algebra", SC 2008; in that form in Parboil) a
// thread keeps 16 elements of a row of C, A and C are column-major, and only B passes through shared memory, where all threads read the
// same word.
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

constexpr int kRows = 128, kColumns = 16, kDepth = 8;

// One thread for each of kRows rows. a and c by columns; m is a multiple of kRows, n of kColumns, k of kDepth.
__global__ void sgemmRegisters(int m, int n, int k, float alpha, const float* a, const float* b, float beta, float* c) {
  __shared__ float tile[kDepth][kColumns];
  const int row = blockIdx.y * kRows + threadIdx.x;
  const int firstColumn = blockIdx.x * kColumns;
  const int tileRow = threadIdx.x / kColumns, tileColumn = threadIdx.x % kColumns;

  float sums[kColumns] = {};
  for (int first = 0; first < k; first += kDepth) {
    tile[tileRow][tileColumn] = b[(first + tileRow) * n + firstColumn + tileColumn];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kDepth; ++i) {
      const float factor = a[(first + i) * m + row];
#pragma unroll
      for (int column = 0; column < kColumns; ++column) sums[column] += factor * tile[i][column];
    }
    __syncthreads();
  }
#pragma unroll
  for (int column = 0; column < kColumns; ++column) {
    float& element = c[(firstColumn + column) * m + row];
    element = alpha * sums[column] + beta * element;
  }
}

// rows x columns elements; the other way round.
std::vector<float> transposed(const std::vector<float>& matrix, int rows, int columns) {
  std::vector<float> result(matrix.size());
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) result[size_t(column) * rows + row] = matrix[size_t(row) * columns + column];
  return result;
}

int main(int argc, char** argv) {
  const Options options = parseOptions(argc, argv,
                                       {"sgemm",
                                        "C = alpha A B + beta C, single precision",
                                        "256 x 192, inner dimension 160",
                                        "768 x 768, inner dimension 768",
                                        "1024 x 992, inner dimension 1056",
                                        {"tiles", "registers"},
                                        "tiles"});
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
  const DeviceArray<float> deviceB(b);
  const auto tiles = [&] {
    const DeviceArray<float> deviceA(a), deviceC(expected);
    const dim3 grid(shape.n / kTile, shape.m / kTile), block(kTile, kTile);
    timings.kernels([&] { sgemm<<<grid, block>>>(shape.n, shape.k, alpha, deviceA.data(), deviceB.data(), beta, deviceC.data()); });
    return deviceC.download();
  };
  const auto registers = [&] {
    const DeviceArray<float> deviceA(transposed(a, shape.m, shape.k)), deviceC(transposed(expected, shape.m, shape.n));
    const dim3 grid(shape.n / kColumns, shape.m / kRows);
    timings.kernels(
        [&] { sgemmRegisters<<<grid, kRows>>>(shape.m, shape.n, shape.k, alpha, deviceA.data(), deviceB.data(), beta, deviceC.data()); });
    return transposed(deviceC.download(), shape.n, shape.m);
  };
  std::vector<float> gotTiles, gotRegisters;
  if (options.runs("tiles")) gotTiles = tiles();
  if (options.runs("registers")) gotRegisters = registers();
  timings.reference([&] { referenceSgemm(shape, alpha, a, b, beta, expected); });
  timings.print();

  // Both sums run in the same order; fused and separate roundings of k products below 1 drift apart like sqrt(k) ulps.
  constexpr float kTolerance = 1e-5f, kAbsolute = 5e-5f;
  bool correct = true;
  if (options.runs("tiles")) correct = expectNear("c", expected, gotTiles, kTolerance, kAbsolute);
  if (options.runs("registers")) correct = expectNear("c (registers)", expected, gotRegisters, kTolerance, kAbsolute) && correct;
  return report("sgemm", correct);
}
