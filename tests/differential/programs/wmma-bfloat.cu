// nvcuda::wmma with __nv_bfloat16 factors, and fragment elements changed in between.
// arch: 80
#include <cuda_bf16.h>
#include <mma.h>

#include "check.hpp"
#include "matrices.hpp"
#include "narrow.hpp"

using namespace nvcuda;

__global__ void multiply(const __nv_bfloat16* a, const __nv_bfloat16* b, float* d) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __nv_bfloat16, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __nv_bfloat16, wmma::row_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  for (int k = 0; k < 3; ++k) {
    wmma::load_matrix_sync(fa, a + 16 * k, 48);
    wmma::load_matrix_sync(fb, b + 256 * k, 16);
    wmma::mma_sync(sum, fa, fb, sum);
  }
  for (int i = 0; i < sum.num_elements; ++i) sum.x[i] = 2 * sum.x[i] + 1;
  wmma::store_matrix_sync(d, sum, 16, wmma::mem_row_major);
}

int main() {
  const auto a = matrix(16, 48, 4, 7), b = matrix(48, 16, 5, 7);
  const auto bfloats = [](const std::vector<int>& values) { return table(values.size(), [&](size_t i) { return toBfloat(values[i]); }); };
  Buffer<unsigned short> da(bfloats(a)), db(bfloats(b));
  Buffer<float> d(256);
  multiply<<<1, 32>>>(reinterpret_cast<const __nv_bfloat16*>(da.get()), reinterpret_cast<const __nv_bfloat16*>(db.get()), d);
  auto wanted = as<float>(product(a, b, std::vector<int>(256), 16, 16, 48));
  for (float& value : wanted) value = 2 * value + 1;
  check::same(d.read(), wanted, "product");
  return check::finish();
}
