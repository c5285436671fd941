// Dynamic shared memory: sizes given at the launch, above 48 KB after asking for it, and beside static arrays.
#include "check.hpp"

extern __shared__ int dynamic[];

__global__ void rotate(int* out, int words) {
  __shared__ int offset;
  if (threadIdx.x == 0) offset = 3;
  for (int i = static_cast<int>(threadIdx.x); i < words; i += blockDim.x) dynamic[i] = i * 7;
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < words; i += blockDim.x) out[i] = dynamic[(i + offset) % words];
}

int main() {
  for (const int words : {64, 5000, 12000}) {
    Buffer<int> out(words);
    rotate<<<1, 256, words * sizeof(int)>>>(out, words);
    check::same(out.read(), table(words, [=](size_t i) { return static_cast<int>((i + 3) % words * 7); }), "rotated");
  }
  constexpr int kLarge = 16000;
  Buffer<int> out(kLarge);
  rotate<<<1, 256, kLarge * sizeof(int)>>>(out, kLarge);
  check::code(cudaGetLastError(), cudaErrorInvalidValue, "64 KB without asking");
  CUDA(cudaFuncSetAttribute(rotate, cudaFuncAttributeMaxDynamicSharedMemorySize, kLarge * sizeof(int)));
  rotate<<<1, 256, kLarge * sizeof(int)>>>(out, kLarge);
  check::code(cudaGetLastError(), cudaSuccess, "64 KB after asking");
  check::same(out.read(), table(kLarge, [](size_t i) { return static_cast<int>((i + 3) % kLarge * 7); }), "rotated");
  return check::finish();
}
