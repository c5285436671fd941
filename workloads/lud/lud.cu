// LU decomposition in place without pivoting, in blocks of 16 x 16 as in Rodinia. Each step along the diagonal launches three
// kernels: `ludDiagonal` decomposes the block on the diagonal, `ludPerimeter` solves for the blocks right of it and below it, one
// half of the threads each, and `ludInternal` subtracts the products from all blocks that remain.
#include "../common/workload.hpp"

using namespace workloads;

constexpr int kBlock = 16;

// Thread i owns row i while a column of L is made, and column i while a row of U is.
__global__ void ludDiagonal(float* matrix, int n, int offset) {
  __shared__ float block[kBlock][kBlock];
  float* corner = matrix + size_t(offset) * n + offset;
  const int thread = threadIdx.x;
  for (int row = 0; row < kBlock; ++row) block[row][thread] = corner[row * n + thread];
  __syncthreads();
  for (int pivot = 0; pivot < kBlock - 1; ++pivot) {
    if (thread > pivot) {  // column of L: thread is the row
      for (int k = 0; k < pivot; ++k) block[thread][pivot] -= block[thread][k] * block[k][pivot];
      block[thread][pivot] /= block[pivot][pivot];
    }
    __syncthreads();
    if (thread > pivot) {  // next row of U: thread is the column
      for (int k = 0; k <= pivot; ++k) block[pivot + 1][thread] -= block[pivot + 1][k] * block[k][thread];
    }
    __syncthreads();
  }
  for (int row = 1; row < kBlock; ++row) corner[row * n + thread] = block[row][thread];  // row 0 is as it was
}

// Threads 0 to 15 own the columns of a block to the right, 16 to 31 the rows of a block below.
__global__ void ludPerimeter(float* matrix, int n, int offset) {
  __shared__ float diagonal[kBlock][kBlock];
  __shared__ float right[kBlock][kBlock];
  __shared__ float below[kBlock][kBlock];
  float* corner = matrix + size_t(offset) * n + offset;
  const int distance = (blockIdx.x + 1) * kBlock;
  float* rightCorner = corner + distance;
  float* belowCorner = corner + size_t(distance) * n;
  const bool ownsColumn = threadIdx.x < kBlock;
  const int lane = threadIdx.x % kBlock;

  const int firstRow = ownsColumn ? 0 : kBlock / 2;
  for (int row = firstRow; row < firstRow + kBlock / 2; ++row) diagonal[row][lane] = corner[row * n + lane];
  for (int row = 0; row < kBlock; ++row) {
    if (ownsColumn) right[row][lane] = rightCorner[row * n + lane];
    if (!ownsColumn) below[row][lane] = belowCorner[row * n + lane];
  }
  __syncthreads();

  if (ownsColumn) {
    for (int row = 1; row < kBlock; ++row)
      for (int k = 0; k < row; ++k) right[row][lane] -= diagonal[row][k] * right[k][lane];
  } else {
    for (int column = 0; column < kBlock; ++column) {
      for (int k = 0; k < column; ++k) below[lane][column] -= below[lane][k] * diagonal[k][column];
      below[lane][column] /= diagonal[column][column];
    }
  }
  __syncthreads();

  for (int row = 0; row < kBlock; ++row) {
    if (ownsColumn) rightCorner[row * n + lane] = right[row][lane];
    if (!ownsColumn) belowCorner[row * n + lane] = below[row][lane];
  }
}

__global__ void ludInternal(float* matrix, int n, int offset) {
  __shared__ float upper[kBlock][kBlock];
  __shared__ float lower[kBlock][kBlock];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = offset + (blockIdx.y + 1) * kBlock + ty;
  const int column = offset + (blockIdx.x + 1) * kBlock + tx;
  upper[ty][tx] = matrix[size_t(offset + ty) * n + column];
  lower[ty][tx] = matrix[size_t(row) * n + offset + tx];
  __syncthreads();
  float sum = 0.0f;
  for (int k = 0; k < kBlock; ++k) sum += lower[ty][k] * upper[k][tx];
  matrix[size_t(row) * n + column] -= sum;
}

void decompose(float* matrix, int n) {
  for (int offset = 0; offset < n; offset += kBlock) {
    ludDiagonal<<<1, kBlock>>>(matrix, n, offset);
    const int rest = (n - offset) / kBlock - 1;
    if (rest == 0) return;
    ludPerimeter<<<rest, 2 * kBlock>>>(matrix, n, offset);
    ludInternal<<<dim3(rest, rest), dim3(kBlock, kBlock)>>>(matrix, n, offset);
  }
}

// Doolittle's order, row by row: L with a unit diagonal below, U on and above the diagonal.
void referenceDecompose(std::vector<float>& matrix, size_t n) {
  for (size_t row = 1; row < n; ++row) {
    float* target = &matrix[row * n];
    for (size_t k = 0; k < row; ++k) {
      const float* pivotRow = &matrix[k * n];
      target[k] /= pivotRow[k];
      for (size_t column = k + 1; column < n; ++column) target[column] -= target[k] * pivotRow[column];
    }
  }
}

// The covariance of evenly spaced measurements, which decays with their distance, so that all diagonals hold one value but for what noise
// of the measurement adds to the main one: it fills that up to 4/3 of the sum of the rest of its row, and Gaussian elimination needs no
// pivots.
std::vector<float> makeMatrix(int n) {
  std::vector<float> matrix(size_t(n) * n);
  for (int row = 0; row < n; ++row) {
    float sum = 0.0f;
    for (int column = 0; column < n; ++column) {
      if (row == column) continue;
      sum += matrix[size_t(row) * n + column] = std::exp(-std::abs(row - column) / 8.0f);
    }
    matrix[size_t(row) * n + row] = sum * 4.0f / 3.0f;
  }
  return matrix;
}

int main(int argc, char** argv) {
  const Options options = parseOptions(argc, argv,
                                       {"lud",
                                        "LU decomposition by a diagonal, a perimeter and an internal kernel, 16 x 16 blocks",
                                        "128 x 128",
                                        "512 x 512",
                                        "2048 x 2048",
                                        {}});
  const int n = options.pick(128, 512, 2048);

  std::vector<float> expected = makeMatrix(n);
  Timings timings;
  const DeviceArray<float> matrix(expected);
  timings.kernels([&] { decompose(matrix.data(), n); });
  timings.reference([&] { referenceDecompose(expected, n); });
  timings.print();

  // The decomposition is exact for a matrix that differs from the given one, in each element, by at most 2^-24 n times the sum of
  // the products of the factors' magnitudes. Rows are dominated by the diagonal, below 21 here, so that this sum is at most
  // twice that, and a change of the matrix spreads to the factors at most (4/3) / (4/3 - 1) = 4 times as large.
  const float tolerance = 2 * 4 * 2 * 21.0f * 0x1p-24f * n;
  return report("lud", expectNear("factors", expected, matrix.download(), 0.0f, tolerance));
}
