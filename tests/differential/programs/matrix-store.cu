// stmatrix: what ldmatrix loads, stored again, straight and transposed.
// arch: 90
#include "check.hpp"

__global__ void store(unsigned short* out) {
  __shared__ __align__(16) unsigned short tile[4][8][8];
  const unsigned lane = threadIdx.x;
  const unsigned row = static_cast<unsigned>(__cvta_generic_to_shared(&tile[lane / 8][lane % 8][0]));
  unsigned r[4];
  for (unsigned k = 0; k < 4; ++k) r[k] = (64 * k + 2 * lane) | (64 * k + 2 * lane + 1) << 16;
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1,%2,%3,%4};" ::"r"(row), "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]) : "memory");
  __syncthreads();
  for (unsigned i = lane; i < 256; i += 32) out[i] = (&tile[0][0][0])[i];
  __syncthreads();
  asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0], {%1,%2};" ::"r"(row), "r"(r[0]), "r"(r[1]) : "memory");
  __syncthreads();
  for (unsigned i = lane; i < 128; i += 32) out[256 + i] = (&tile[0][0][0])[i];
}

int main() {
  Buffer<unsigned short> out(384);
  store<<<1, 32>>>(out);
  check::same(out.read(), table(384, [](size_t i) {
    const size_t inside = i % 64, matrix = i < 256 ? i / 64 : i / 64 - 4;
    return static_cast<unsigned short>(64 * matrix + (i < 256 ? inside : inside % 8 * 8 + inside / 8));
  }), "tiles");
  return check::finish();
}
