// FLAGS: -arch=sm_90a
// PTX: wgmma.fence.sync.aligned
// PTX: wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16
// PTX: wgmma.commit_group.sync.aligned
// PTX: wgmma.wait_group.sync.aligned
// Hopper's products of warp groups have no functions of their own: programs write them as inline PTX.
#include <cuda_fp16.h>

#include <cstdint>
#include <cstdio>

constexpr int kRows = 64, kColumns = 8, kDepth = 16;

// Without swizzling: chunks of 16 bytes, eight lines of a chunk together, 128 bytes from chunk to chunk and 256 from eight lines to the next.
__device__ int placeOf(int line, int k) { return line / 8 * 128 + k / 8 * 64 + line % 8 * 8 + k % 8; }  // in halves

__device__ uint64_t descriptorOf(const __half* matrix) {
  const auto address = static_cast<uint64_t>(__cvta_generic_to_shared(matrix));
  return (address & 0x3ffff) >> 4 | uint64_t{128 >> 4} << 16 | uint64_t{256 >> 4} << 32;
}

// d = a * b + d; a by rows, b by columns
__global__ void multiply(const __half* a, const __half* b, float* d) {
  __shared__ __align__(128) __half tileA[kRows * kDepth], tileB[kColumns * kDepth];
  for (int i = threadIdx.x; i < kRows * kDepth; i += blockDim.x) tileA[placeOf(i / kDepth, i % kDepth)] = a[i];
  for (int i = threadIdx.x; i < kColumns * kDepth; i += blockDim.x) tileB[placeOf(i / kDepth, i % kDepth)] = b[i];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  const int lane = threadIdx.x % 32, row = threadIdx.x / 32 * 16 + lane / 4, column = lane % 4 * 2;
  float sums[4];
  for (int i = 0; i < 4; ++i) sums[i] = d[(row + i / 2 * 8) * kColumns + column + i % 2];
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile(
      "{\n.reg .pred accumulates;\nsetp.ne.b32 accumulates, %6, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, accumulates, 1, 1, 0, 0;\n}"
      : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
      : "l"(descriptorOf(tileA)), "l"(descriptorOf(tileB)), "r"(1));
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(0) : "memory");
  for (int i = 0; i < 4; ++i) d[(row + i / 2 * 8) * kColumns + column + i % 2] = sums[i];
}

int main() {
  __half *a, *b;
  float* d;
  cudaMallocManaged(&a, kRows * kDepth * sizeof(__half));
  cudaMallocManaged(&b, kColumns * kDepth * sizeof(__half));
  cudaMallocManaged(&d, kRows * kColumns * sizeof(float));
  for (int i = 0; i < kRows * kDepth; ++i) a[i] = __float2half(static_cast<float>(i % 7 - 3));
  for (int i = 0; i < kColumns * kDepth; ++i) b[i] = __float2half(static_cast<float>(i % 5 - 2));
  for (int i = 0; i < kRows * kColumns; ++i) d[i] = static_cast<float>(i);
  multiply<<<1, 128>>>(a, b, d);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  int wrong = 0;
  for (int row = 0; row < kRows; ++row) {
    for (int column = 0; column < kColumns; ++column) {
      float expected = static_cast<float>(row * kColumns + column);
      for (int k = 0; k < kDepth; ++k) expected += __half2float(a[row * kDepth + k]) * __half2float(b[column * kDepth + k]);
      wrong += d[row * kColumns + column] != expected;
    }
  }
  std::printf("%d sums are wrong\n", wrong);
  return wrong != 0;
}
