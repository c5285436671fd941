// Tensor maps: a matrix product whose tiles come by tensor copies, two stages of them, and a transposition through a swizzled tile.
// arch: 90
#include <cuda.h>

#include "check.hpp"

using Encode = CUresult (*)(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*, const cuuint64_t*, const cuuint64_t*, const cuuint32_t*, const cuuint32_t*,
                            CUtensorMapInterleave, CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill);

Encode encoder() {
  void* address = nullptr;
  cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
  CUDA(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &address, 12000, cudaEnableDefault, &found));
  check::that(found == cudaDriverEntryPointSuccess && address != nullptr, "cuTensorMapEncodeTiled");
  return reinterpret_cast<Encode>(address);
}

// Of rows that lie `pitch` words apart.
CUtensorMap mapOf(void* data, unsigned columns, unsigned rows, unsigned pitch, unsigned boxColumns, unsigned boxRows, CUtensorMapSwizzle swizzle) {
  static const Encode encode = encoder();
  const cuuint64_t sizes[] = {columns, rows}, strides[] = {pitch * sizeof(int)};
  const cuuint32_t box[] = {boxColumns, boxRows}, steps[] = {1, 1};
  CUtensorMap map;
  check::that(encode(&map, CU_TENSOR_MAP_DATA_TYPE_INT32, 2, data, sizes, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle,
                     CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS,
              "map");
  return map;
}

__device__ unsigned sharedAddress(const void* pointer) { return static_cast<unsigned>(__cvta_generic_to_shared(pointer)); }

__device__ void begin(unsigned barrier) {
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(barrier) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
}
__device__ void expect(unsigned barrier, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}
__device__ void load(unsigned to, const CUtensorMap* map, int x, int y, unsigned barrier) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(to), "l"(map), "r"(x),
               "r"(y), "r"(barrier)
               : "memory");
}
__device__ void store(const CUtensorMap* map, int x, int y, unsigned from) {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x != 0) return;
  asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];" ::"l"(map), "r"(x), "r"(y), "r"(from) : "memory");
  asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory");
}
__device__ void await(unsigned barrier, unsigned parity) {
  unsigned done = 0;
  while (done == 0) {
    asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p;}" : "=r"(done) : "r"(barrier), "r"(parity) : "memory");
  }
}

constexpr int kTile = 32, kDepth = 16;

// A block makes a tile of kTile x kTile of the product; what lies outside the matrices is zero, and is stored as far as the last 16 bytes of a
// row reach.
__global__ void product(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b, const __grid_constant__ CUtensorMap c, int depth) {
  __shared__ __align__(128) int left[2][kTile][kDepth], right[2][kDepth][kTile], sum[kTile][kTile];
  __shared__ unsigned long long storage[2];
  for (unsigned long long& each : storage) begin(sharedAddress(&each));
  const int x = blockIdx.x * kTile, y = blockIdx.y * kTile, column = threadIdx.x % kTile, row = threadIdx.x / kTile;
  const int rounds = (depth + kDepth - 1) / kDepth;
  const auto ask = [&](int round) {
    const int stage = round % 2;
    const unsigned barrier = sharedAddress(&storage[stage]);
    expect(barrier, sizeof left[0] + sizeof right[0]);
    load(sharedAddress(left[stage]), &a, round * kDepth, y, barrier);
    load(sharedAddress(right[stage]), &b, x, round * kDepth, barrier);
  };
  if (threadIdx.x == 0) ask(0);
  int sums[4] = {};
  for (int round = 0; round < rounds; ++round) {
    if (threadIdx.x == 0 && round + 1 < rounds) ask(round + 1);
    await(sharedAddress(&storage[round % 2]), round / 2 % 2);
    for (int k = 0; k < kDepth; ++k)
      for (int i = 0; i < 4; ++i) sums[i] += left[round % 2][row + 8 * i][k] * right[round % 2][k][column];
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i) sum[row + 8 * i][column] = sums[i];
  store(&c, x, y, sharedAddress(sum));
}

// Rows of 128 bytes: the piece of 16 bytes in column x of row y lies in column x ^ y % 8.
__global__ void transposed(const __grid_constant__ CUtensorMap from, const __grid_constant__ CUtensorMap to) {
  __shared__ __align__(1024) int tile[kTile][kTile], turned[kTile][kTile];
  __shared__ unsigned long long storage;
  const unsigned barrier = sharedAddress(&storage);
  begin(barrier);
  const int x = blockIdx.x * kTile, y = blockIdx.y * kTile;
  if (threadIdx.x == 0) {
    expect(barrier, sizeof tile);
    load(sharedAddress(tile), &from, x, y, barrier);
  }
  await(barrier, 0);
  for (int i = threadIdx.x; i < kTile * kTile; i += blockDim.x) {
    const int column = i % kTile, row = i / kTile;
    turned[column][row] = tile[row][(column / 4 ^ row % 8) * 4 + column % 4];
  }
  store(&to, y, x, sharedAddress(turned));
}

int main() {
  constexpr int kRows = 70, kColumns = 50, kInner = 45, kPitchA = 48, kPitchB = 52, kPitchC = 56;
  const auto a = table(kRows * kPitchA, [](size_t i) { return static_cast<int>(i % 17) - 8; });
  const auto b = table(kInner * kPitchB, [](size_t i) { return static_cast<int>(i % 13) - 6; });
  Buffer<int> left(a), right(b), result(table(kRows * kPitchC, [](size_t) { return 7; }));
  product<<<dim3(2, 3), 256>>>(mapOf(left, kInner, kRows, kPitchA, kDepth, kTile, CU_TENSOR_MAP_SWIZZLE_NONE),
                               mapOf(right, kColumns, kInner, kPitchB, kTile, kDepth, CU_TENSOR_MAP_SWIZZLE_NONE),
                               mapOf(result, kColumns, kRows, kPitchC, kTile, kTile, CU_TENSOR_MAP_SWIZZLE_NONE), kInner);
  check::same(result.read(), table(kRows * kPitchC, [&](size_t i) {
                const size_t row = i / kPitchC, column = i % kPitchC;
                if (column >= kColumns) return column < 52 ? 0 : 7;
                int sum = 0;
                for (int k = 0; k < kInner; ++k) sum += a[row * kPitchA + k] * b[k * kPitchB + column];
                return sum;
              }),
              "product");
  constexpr int kWide = 100, kHigh = 72;
  Buffer<int> matrix(table(kWide * kHigh, [](size_t i) { return static_cast<int>(3 * i); })), across(kWide * kHigh);
  transposed<<<dim3(4, 3), 256>>>(mapOf(matrix, kWide, kHigh, kWide, kTile, kTile, CU_TENSOR_MAP_SWIZZLE_128B),
                                  mapOf(across, kHigh, kWide, kHigh, kTile, kTile, CU_TENSOR_MAP_SWIZZLE_NONE));
  check::same(across.read(), table(kWide * kHigh, [](size_t i) { return static_cast<int>(3 * (i % kHigh * kWide + i / kHigh)); }), "transposed");
  return check::finish();
}
