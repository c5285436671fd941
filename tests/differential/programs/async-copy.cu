// cp.async by inline PTX: three sizes, zero fill, and groups of which the newest may still be under way.
// arch: 80
#include "check.hpp"

__device__ unsigned sharedAddress(const void* pointer) { return static_cast<unsigned>(__cvta_generic_to_shared(pointer)); }

__global__ void copies(const int* in, int* out) {
  __shared__ __align__(16) int tile[3][128];
  const int lane = threadIdx.x;
  for (int k = 0; k < 3; ++k) {
    for (int i = lane; i < 128; i += 32) tile[k][i] = -1;
  }
  __syncthreads();
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(sharedAddress(&tile[0][4 * lane])), "l"(in + 4 * lane) : "memory");
  asm volatile("cp.async.commit_group;");
  asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(sharedAddress(&tile[1][2 * lane])), "l"(in + 128 + 2 * lane) : "memory");
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(sharedAddress(&tile[1][64 + lane])), "l"(in + 192 + lane) : "memory");
  asm volatile("cp.async.commit_group;");
  // Only the first 4 * (lane % 5) bytes come from memory; the rest are zeros.
  asm volatile("cp.async.ca.shared.global [%0], [%1], 16, %2;" ::"r"(sharedAddress(&tile[2][4 * lane])), "l"(in + 256 + 4 * lane), "r"(4 * (lane % 5)) : "memory");
  asm volatile("cp.async.commit_group;");
  asm volatile("cp.async.wait_group 2;" ::: "memory");
  __syncthreads();
  for (int i = lane; i < 128; i += 32) out[i] = tile[0][127 - i];
  asm volatile("cp.async.wait_all;" ::: "memory");
  __syncthreads();
  for (int i = lane; i < 128; i += 32) out[128 + i] = tile[1][i], out[256 + i] = tile[2][i];
}

int main() {
  Buffer<int> in(table(384, [](size_t i) { return static_cast<int>(i * i + 1); })), out(384);
  copies<<<1, 32>>>(in, out);
  check::same(out.read(), table(384, [](size_t index) {
    const int i = static_cast<int>(index);
    const int from = i < 128 ? 127 - i : i;
    if (i >= 128 + 96 && i < 256) return -1;
    if (i >= 256 && i % 4 >= (i - 256) / 4 % 5) return 0;
    return from * from + 1;
  }), "copied");
  return check::finish();
}
