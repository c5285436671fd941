// nvcuda::wmma with signed and unsigned bytes, sums of 32 bits.
#include <mma.h>

#include "check.hpp"
#include "matrices.hpp"

using namespace nvcuda;

template <int m, int n, typename T>
__global__ void multiply(const T* a, const T* b, const int* c, int* d) {
  wmma::fragment<wmma::matrix_a, m, n, 16, T, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, m, n, 16, T, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, m, n, 16, int> sum;
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::load_matrix_sync(sum, c, n, wmma::mem_row_major);
  wmma::mma_sync(sum, fa, fb, sum);
  wmma::store_matrix_sync(d, sum, n, wmma::mem_row_major);
}

template <int m, int n, typename T>
void run(const char* what, int shift) {
  auto a = matrix(m, 16, 11, 127), b = matrix(16, n, 12, 127);
  for (int& value : a) value += shift;
  for (int& value : b) value += shift;
  const auto c = matrix(m, n, 13, 500);
  Buffer<T> da(as<T>(a)), db(as<T>(transposed(b, 16, n)));
  Buffer<int> dc(c), d(m * n);
  multiply<m, n, T><<<1, 32>>>(da, db, dc, d);
  check::same(d.read(), product(a, b, c, m, n, 16), what);
}

int main() {
  run<16, 16, signed char>("signed, 16 x 16", 0);
  run<32, 8, signed char>("signed, 32 x 8", 0);
  run<16, 16, unsigned char>("unsigned, 16 x 16", 128);
  run<8, 32, unsigned char>("unsigned, 8 x 32", 128);
  return check::finish();
}
