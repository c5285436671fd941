// Blocks and grids of three dimensions; each thread writes its coordinates where they belong.
#include "check.hpp"

__global__ void coordinates(unsigned* out) {
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
                 z = blockIdx.z * blockDim.z + threadIdx.z;
  const unsigned width = gridDim.x * blockDim.x, height = gridDim.y * blockDim.y;
  out[(z * height + y) * width + x] = x | y << 8 | z << 16 | warpSize << 24;
}

__global__ void edges(unsigned* out) {
  if (threadIdx.x + 1 == blockDim.x && threadIdx.y + 1 == blockDim.y && threadIdx.z + 1 == blockDim.z) {
    atomicAdd(out, blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z));
  }
}

int main() {
  Buffer<unsigned> out(15 * 8 * 12);
  coordinates<<<dim3(3, 2, 4), dim3(5, 4, 3)>>>(out);
  check::same(out.read(), table(15 * 8 * 12, [](size_t i) {
    return static_cast<unsigned>(i % 15 | i / 15 % 8 << 8 | i / 120 << 16 | 32u << 24);
  }), "coordinates");
  const dim3 grids[] = {dim3(70000), dim3(1, 300), dim3(2, 1, 200), dim3(7, 11, 13)};
  const dim3 blocks[] = {dim3(1), dim3(1, 1, 64), dim3(1, 1024), dim3(33, 2, 3)};
  for (int i = 0; i < 4; ++i) {
    Buffer<unsigned> sum(1);
    edges<<<grids[i], blocks[i]>>>(sum);
    const unsigned long long count = 1ull * grids[i].x * grids[i].y * grids[i].z;
    check::same(sum.read(), {static_cast<unsigned>(count * (count - 1) / 2)}, "every block once");
  }
  return check::finish();
}
