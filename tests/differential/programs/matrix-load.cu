// ldmatrix: one, two and four 8 x 8 matrices of 16-bit elements, straight and transposed.
#include "check.hpp"

__global__ void load(unsigned* out) {
  __shared__ __align__(16) unsigned short tile[4][8][8];
  const int lane = threadIdx.x;
  for (int i = lane; i < 256; i += 32) (&tile[0][0][0])[i] = static_cast<unsigned short>(i);
  __syncthreads();
  const unsigned row = static_cast<unsigned>(__cvta_generic_to_shared(&tile[lane / 8][lane % 8][0]));
  unsigned r[4];
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(row));
  for (int k = 0; k < 4; ++k) out[32 * k + lane] = r[k];
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];" : "=r"(r[0]), "=r"(r[1]) : "r"(row));
  for (int k = 0; k < 2; ++k) out[128 + 32 * k + lane] = r[k];
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r[0]) : "r"(row));
  out[192 + lane] = r[0];
}

int main() {
  Buffer<unsigned> out(224);
  load<<<1, 32>>>(out);
  check::same(out.read(), table(224, [](size_t index) {
    const unsigned lane = index % 32, which = static_cast<unsigned>(index / 32);
    const bool transposed = which == 4 || which == 5;
    const unsigned matrix = which < 4 ? which : transposed ? which - 4 : 0;
    const unsigned row = lane / 4, column = lane % 4 * 2;
    const unsigned first = 64 * matrix + (transposed ? 8 * column + row : 8 * row + column);
    return first | (first + (transposed ? 8 : 1)) << 16;
  }), "fragments");
  return check::finish();
}
