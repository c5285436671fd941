// nvcuda::wmma with __half factors: three shapes, sums in half and float, both layouts.
#include <mma.h>

#include "check.hpp"
#include "matrices.hpp"
#include "narrow.hpp"

using namespace nvcuda;

template <int m, int n, int k, typename Sum, typename LayoutA, typename LayoutB>
__global__ void multiply(const __half* a, const __half* b, const Sum* c, Sum* d, int ldA, int ldB) {
  wmma::fragment<wmma::matrix_a, m, n, k, __half, LayoutA> fa;
  wmma::fragment<wmma::matrix_b, m, n, k, __half, LayoutB> fb;
  wmma::fragment<wmma::accumulator, m, n, k, Sum> sum;
  wmma::load_matrix_sync(fa, a, ldA);
  wmma::load_matrix_sync(fb, b, ldB);
  wmma::load_matrix_sync(sum, c, n, wmma::mem_row_major);
  wmma::mma_sync(sum, fa, fb, sum);
  wmma::store_matrix_sync(d, sum, m, wmma::mem_col_major);
}

std::vector<unsigned short> halves(const std::vector<int>& values) {
  return table(values.size(), [&](size_t i) { return toHalf(values[i]); });
}

template <int m, int n, int k>
void run(const char* what) {
  const auto a = matrix(m, k, 1, 5), b = matrix(k, n, 2, 5), c = matrix(m, n, 3, 50);
  const auto wanted = transposed(product(a, b, c, m, n, k), m, n);
  Buffer<unsigned short> da(halves(a)), db(halves(b)), dat(halves(transposed(a, m, k))), dbt(halves(transposed(b, k, n))), hc(halves(c)), hd(m * n);
  Buffer<float> fc(as<float>(c)), fd(m * n);
  const auto h = [](const Buffer<unsigned short>& buffer) { return reinterpret_cast<__half*>(buffer.get()); };
  multiply<m, n, k, float, wmma::row_major, wmma::row_major><<<1, 32>>>(h(da), h(db), fc.get(), fd.get(), k, n);
  check::same(fd.read(), as<float>(wanted), what);
  multiply<m, n, k, float, wmma::col_major, wmma::col_major><<<1, 32>>>(h(dat), h(dbt), fc.get(), fd.get(), m, k);
  check::same(fd.read(), as<float>(wanted), what);
  multiply<m, n, k, __half, wmma::row_major, wmma::col_major><<<1, 32>>>(h(da), h(dbt), h(hc), h(hd), k, k);
  check::same(hd.read(), halves(wanted), what);
}

int main() {
  run<16, 16, 16>("16 x 16 x 16");
  run<32, 8, 16>("32 x 8 x 16");
  run<8, 32, 16>("8 x 32 x 16");
  return check::finish();
}
