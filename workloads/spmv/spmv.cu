// Product of a sparse matrix and a vector, three ways (Bell and Garland, SC 2009; JDS as in Parboil):
//   csr-scalar  one thread per row: neighbouring threads read far apart;
//   csr-vector  one warp per row, partial sums added in shared memory;
//   jds         one thread per row of the sorted matrix, stored by columns: neighbouring threads read neighbouring elements.
// The vector is gathered at addresses that only the matrix knows.
#include <algorithm>

#include "../common/workload.hpp"
#include "matrix.hpp"

using namespace workloads;

constexpr int kThreads = 128;
constexpr int kWarp = 32;
constexpr int kRowsPerBlock = kThreads / kWarp;  // csr-vector

__global__ void spmvCsrScalar(const int* offsets, const int* columns, const float* values, const float* x, float* y, int rows) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int i = offsets[row]; i < offsets[row + 1]; ++i) sum += values[i] * x[columns[i]];
  y[row] = sum;
}

__global__ void spmvCsrVector(const int* offsets, const int* columns, const float* values, const float* x, float* y, int rows) {
  __shared__ float partial[kRowsPerBlock][kWarp];
  const int warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
  const int row = blockIdx.x * kRowsPerBlock + warp;
  float sum = 0.0f;
  if (row < rows) {
    for (int i = offsets[row] + lane; i < offsets[row + 1]; i += kWarp) sum += values[i] * x[columns[i]];
  }
  partial[warp][lane] = sum;
  for (int stride = kWarp / 2; stride > 0; stride /= 2) {
    __syncwarp();
    if (lane < stride) partial[warp][lane] += partial[warp][lane + stride];
  }
  if (lane == 0 && row < rows) y[row] = partial[warp][0];
}

__global__ void spmvJds(const int* permutation, const int* groupLengths, const int* diagonals, const int* columns, const float* values,
                        const float* x, float* y, int rows) {
  const int sorted = blockIdx.x * blockDim.x + threadIdx.x;
  if (sorted >= rows) return;
  const int length = groupLengths[sorted / spmv::JdsMatrix::kGroup];
  float sum = 0.0f;
  for (int k = 0; k < length; ++k) {
    const int i = diagonals[k] + sorted;
    sum += values[i] * x[columns[i]];
  }
  y[permutation[sorted]] = sum;
}

// Returns, as a bound for rounding errors, the largest sum of a row's products without their signs.
float referenceProduct(const spmv::CsrMatrix& matrix, const std::vector<float>& x, std::vector<float>& y) {
  float largest = 0.0f;
  for (int row = 0; row < matrix.rows(); ++row) {
    float sum = 0.0f, magnitude = 0.0f;
    for (int i = matrix.offsets[row]; i < matrix.offsets[row + 1]; ++i) {
      const float product = matrix.values[i] * x[matrix.columns[i]];
      sum += product;
      magnitude += std::fabs(product);
    }
    y[row] = sum;
    largest = std::max(largest, magnitude);
  }
  return largest;
}

std::vector<float> runCsr(const spmv::CsrMatrix& matrix, const std::vector<float>& x, bool warpPerRow, Timings& timings) {
  const DeviceArray<int> offsets(matrix.offsets), columns(matrix.columns);
  const DeviceArray<float> values(matrix.values), deviceX(x), y(matrix.rows());
  const int rows = matrix.rows();
  const auto kernel = warpPerRow ? spmvCsrVector : spmvCsrScalar;
  const int blocks = divideUp(rows, warpPerRow ? kRowsPerBlock : kThreads);
  timings.kernels([&] { kernel<<<blocks, kThreads>>>(offsets.data(), columns.data(), values.data(), deviceX.data(), y.data(), rows); });
  return y.download();
}

std::vector<float> runJds(const spmv::CsrMatrix& matrix, const std::vector<float>& x, Timings& timings) {
  const spmv::JdsMatrix jds = spmv::toJds(matrix);
  const DeviceArray<int> permutation(jds.permutation), groupLengths(jds.groupLengths), diagonals(jds.diagonals), columns(jds.columns);
  const DeviceArray<float> values(jds.values), deviceX(x), y(matrix.rows());
  const int rows = matrix.rows();
  timings.kernels([&] {
    spmvJds<<<divideUp(rows, kThreads), kThreads>>>(permutation.data(), groupLengths.data(), diagonals.data(), columns.data(),
                                                    values.data(), deviceX.data(), y.data(), rows);
  });
  return y.download();
}

int main(int argc, char** argv) {
  const Options options = parseOptions(argc, argv,
                                       {"spmv",
                                        "sparse matrix times vector, in compressed sparse rows and in jagged diagonals",
                                        "1,138 rows",
                                        "20,011 rows",
                                        "146,689 rows, 3.4 million elements",
                                        {"csr-scalar", "csr-vector", "jds"}});
  const int rows = options.pick(1'138, 20'011, 146'689);

  Random random(19);
  const spmv::CsrMatrix matrix = spmv::meshMatrix(rows, random);
  // Displacements: a wave along the body, and a little of each point's own.
  std::vector<float> x(rows);
  for (int row = 0; row < rows; ++row) x[row] = std::sin(float(row) * 18.0f / float(rows)) + 0.01f * random.normal();
  std::vector<float> expected(rows);
  Timings timings;
  float magnitude = 0.0f;
  timings.reference([&] { magnitude = referenceProduct(matrix, x, expected); });

  // A row's sum is off by at most one rounding per product and sum on either side, each 2^-24 of the products' magnitudes.
  int longest = 0;
  for (int row = 0; row < rows; ++row) longest = std::max(longest, matrix.length(row));
  const float tolerance = 2 * (longest + 1) * 0x1p-24f * magnitude;
  const auto check = [&](const std::string& name, const std::vector<float>& y) { return expectNear(name, expected, y, 0.0f, tolerance); };
  bool correct = true;
  if (options.runs("csr-scalar")) correct = check("csr-scalar", runCsr(matrix, x, false, timings)) && correct;
  if (options.runs("csr-vector")) correct = check("csr-vector", runCsr(matrix, x, true, timings)) && correct;
  if (options.runs("jds")) correct = check("jds", runJds(matrix, x, timings)) && correct;
  timings.print();
  return report("spmv", correct);
}
