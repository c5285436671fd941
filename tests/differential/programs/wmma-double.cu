// nvcuda::wmma with double factors, 8 x 8 x 4.
// arch: 80
#include <mma.h>

#include "check.hpp"
#include "matrices.hpp"

using namespace nvcuda;

__global__ void multiply(const double* a, const double* b, const double* c, double* d) {
  wmma::fragment<wmma::matrix_a, 8, 8, 4, double, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 8, 8, 4, double, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 8, 8, 4, double> sum;
  wmma::load_matrix_sync(fa, a, 4);
  wmma::load_matrix_sync(fb, b, 4);
  wmma::load_matrix_sync(sum, c, 8, wmma::mem_row_major);
  wmma::mma_sync(sum, fa, fb, sum);
  wmma::store_matrix_sync(d, sum, 8, wmma::mem_row_major);
}

int main() {
  const auto a = matrix(8, 4, 8, 400), b = matrix(4, 8, 9, 400), c = matrix(8, 8, 10, 400);
  // Scaled by 2^20, products need far more bits than a float has.
  const auto scaled = [](const std::vector<int>& values, double factor) {
    return table(values.size(), [&](size_t i) { return values[i] * factor; });
  };
  Buffer<double> da(scaled(a, 1 << 20)), db(scaled(transposed(b, 4, 8), 1)), dc(scaled(c, 0.5)), d(64);
  multiply<<<1, 32>>>(da, db, dc, d);
  const auto whole = product(a, b, std::vector<int>(64), 8, 8, 4);
  check::same(d.read(), table(64, [&](size_t i) { return whole[i] * 1048576.0 + 0.5 * c[i]; }), "product");
  return check::finish();
}
