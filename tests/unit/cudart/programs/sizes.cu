// Grids of so many blocks, and recursion so deep: sizes 'blocks' X Y Z, sizes 'recursion' DEPTH BLOCKS THREADS.
#include <cstdio>
#include <cstdlib>
#include <cstring>

__global__ void endsAtOnce() {}

__device__ unsigned long long depth(unsigned long long levels) {
  volatile unsigned frame[16];
  frame[levels % 16] = 1;
  return levels == 0 ? 0 : depth(levels - 1) + frame[levels % 16];
}
__global__ void recurses(unsigned long long levels, unsigned long long* out) { *out = depth(levels); }

int main(int argc, char** argv) {
  if (argc < 5) return 2;
  const unsigned long long first = std::strtoull(argv[2], nullptr, 0);
  const unsigned second = std::strtoul(argv[3], nullptr, 0), third = std::strtoul(argv[4], nullptr, 0);
  unsigned long long* out = nullptr;
  unsigned long long levels = 0;
  cudaMalloc(&out, sizeof *out);
  if (!std::strcmp(argv[1], "blocks"))
    endsAtOnce<<<dim3(first, second, third), 1>>>();
  else
    recurses<<<second, third>>>(first, out);
  const cudaError_t status = cudaMemcpy(&levels, out, sizeof levels, cudaMemcpyDeviceToHost);
  std::printf("%s, %llu levels\n", cudaGetErrorString(status), levels);
  return status == cudaSuccess ? 0 : 3;
}
