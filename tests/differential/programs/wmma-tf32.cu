// nvcuda::wmma with tf32 factors: the ten bits of a mantissa that are left after rounding.
// arch: 80
#include <mma.h>

#include "check.hpp"
#include "matrices.hpp"

using namespace nvcuda;

__global__ void multiply(const float* a, const float* b, float* d) {
  wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 8, float> sum;
  wmma::load_matrix_sync(fa, a, 8);
  wmma::load_matrix_sync(fb, b, 8);
  for (int i = 0; i < fa.num_elements; ++i) fa.x[i] = wmma::__float_to_tf32(fa.x[i]);
  for (int i = 0; i < fb.num_elements; ++i) fb.x[i] = wmma::__float_to_tf32(fb.x[i]);
  wmma::fill_fragment(sum, 0.0f);
  wmma::mma_sync(sum, fa, fb, sum);
  wmma::store_matrix_sync(d, sum, 16, wmma::mem_row_major);
}

int main() {
  const auto a = matrix(16, 8, 6, 200), b = matrix(8, 16, 7, 200);
  // Far below half a unit of the tenth bit: rounding takes it away.
  auto noisy = as<float>(a);
  for (float& value : noisy) value *= 1 + 1e-5f;
  Buffer<float> da(noisy), db(as<float>(transposed(b, 8, 16))), d(256);
  multiply<<<1, 32>>>(da, db, d);
  check::same(d.read(), as<float>(product(a, b, std::vector<int>(256), 16, 16, 8)), "product");
  return check::finish();
}
