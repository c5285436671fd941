// Attention in the style of FlashAttention-3: a warp group brings tiles of K and V by tensor copies, with few registers; two others, with many,
// each make 64 rows: products by wgmma from shared memory and from registers, and the softmax as it goes on.
// arch: 90a
#include <cuda.h>
#include <cuda_fp16.h>

#include <cmath>

#include "check.hpp"

constexpr int kDepth = 64, kRows = 64, kGroups = 2, kStages = 2;  // of a head; of a warp group and of a tile of K and V
constexpr int kBlockRows = kGroups * kRows, kTileBytes = kRows * kDepth * 2;

using Encode = CUresult (*)(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*, const cuuint64_t*, const cuuint64_t*, const cuuint32_t*, const cuuint32_t*,
                            CUtensorMapInterleave, CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill);

// Tiles of 64 x 64 of rows of `kDepth` halves.
CUtensorMap mapOf(void* data, unsigned rows) {
  void* encode = nullptr;
  cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
  CUDA(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &encode, 12000, cudaEnableDefault, &found));
  const cuuint64_t sizes[] = {kDepth, rows}, strides[] = {kDepth * 2};
  const cuuint32_t box[] = {kDepth, kRows}, steps[] = {1, 1};
  CUtensorMap map;
  check::that(reinterpret_cast<Encode>(encode)(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, data, sizes, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
                                               CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                                               CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS,
              "map");
  return map;
}

// --- mbarrier objects and copies
__device__ unsigned sharedAddress(const void* pointer) { return static_cast<unsigned>(__cvta_generic_to_shared(pointer)); }
__device__ void begin(unsigned barrier, unsigned arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" : : "r"(barrier), "r"(arrivals) : "memory");
}
__device__ void expect(unsigned barrier, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" : : "r"(barrier), "r"(bytes) : "memory");
}
__device__ void arrive(unsigned barrier) { asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" : : "r"(barrier) : "memory"); }
__device__ void await(unsigned barrier, unsigned parity) {
  unsigned done = 0;
  while (done == 0) {
    asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p;}" : "=r"(done) : "r"(barrier), "r"(parity) : "memory");
  }
}
__device__ void load(unsigned to, const CUtensorMap* map, int row, unsigned barrier) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
               :
               : "r"(to), "l"(map), "r"(0), "r"(row), "r"(barrier)
               : "memory");
}

// --- products of a warp group
// Lines of 128 bytes with their swizzle, eight of which lie together.
__device__ unsigned long long descriptor(unsigned address) { return (address & 0x3ffff) >> 4 | 1ULL << 16 | 64ULL << 32 | 1ULL << 62; }
__device__ void fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ void finish() { asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory"); }

// Both from shared memory, along the depth.
__device__ void multiply(float (&sums)[32], unsigned long long a, unsigned long long b, int accumulates) {
  asm volatile(
      "{\n.reg .pred p;\nsetp.ne.b32 p, %34, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, %32, %33, p, 1, 1, 0, 0;\n}"
      : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3]), "+f"(sums[4]), "+f"(sums[5]), "+f"(sums[6]), "+f"(sums[7]),
        "+f"(sums[8]), "+f"(sums[9]), "+f"(sums[10]), "+f"(sums[11]), "+f"(sums[12]), "+f"(sums[13]), "+f"(sums[14]), "+f"(sums[15]),
        "+f"(sums[16]), "+f"(sums[17]), "+f"(sums[18]), "+f"(sums[19]), "+f"(sums[20]), "+f"(sums[21]), "+f"(sums[22]), "+f"(sums[23]),
        "+f"(sums[24]), "+f"(sums[25]), "+f"(sums[26]), "+f"(sums[27]), "+f"(sums[28]), "+f"(sums[29]), "+f"(sums[30]), "+f"(sums[31])
      : "l"(a), "l"(b), "r"(accumulates));
}
// A from registers; B lies across.
__device__ void multiply(float (&sums)[32], const unsigned (&a)[4], unsigned long long b) {
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, {%32, %33, %34, %35}, %36, 1, 1, 1, 1;"
      : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3]), "+f"(sums[4]), "+f"(sums[5]), "+f"(sums[6]), "+f"(sums[7]),
        "+f"(sums[8]), "+f"(sums[9]), "+f"(sums[10]), "+f"(sums[11]), "+f"(sums[12]), "+f"(sums[13]), "+f"(sums[14]), "+f"(sums[15]),
        "+f"(sums[16]), "+f"(sums[17]), "+f"(sums[18]), "+f"(sums[19]), "+f"(sums[20]), "+f"(sums[21]), "+f"(sums[22]), "+f"(sums[23]),
        "+f"(sums[24]), "+f"(sums[25]), "+f"(sums[26]), "+f"(sums[27]), "+f"(sums[28]), "+f"(sums[29]), "+f"(sums[30]), "+f"(sums[31])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b));
}

__device__ unsigned pack(float low, float high) {
  const __half2 both = __floats2half2_rn(low, high);
  return *reinterpret_cast<const unsigned*>(&both);
}
// Of the four lanes that have a row.
__device__ float most(float value) {
  value = fmaxf(value, __shfl_xor_sync(0xffffffff, value, 1));
  return fmaxf(value, __shfl_xor_sync(0xffffffff, value, 2));
}
__device__ float total(float value) {
  value += __shfl_xor_sync(0xffffffff, value, 1);
  return value + __shfl_xor_sync(0xffffffff, value, 2);
}

struct Objects {
  unsigned long long queries, full[kStages], empty[kStages];
};

// A lane has the elements i of row (i / 2 % 2) * 8 + its own, column i / 4 * 8 + its own + i % 2.
__device__ void attend(float* out, unsigned queries, unsigned tiles, Objects& objects, int count, float scale) {
  float sums[32] = {}, greatest[2] = {-INFINITY, -INFINITY}, weights[2] = {};
  await(sharedAddress(&objects.queries), 0);
  for (int tile = 0; tile < count; ++tile) {
    const int stage = tile % kStages;
    const unsigned keys = tiles + stage * 2 * kTileBytes, values = keys + kTileBytes;
    await(sharedAddress(&objects.full[stage]), tile / kStages % 2);
    float scores[32];
    for (float& each : scores) each = 0;
    fence();
    for (int k = 0; k < kDepth / 16; ++k) multiply(scores, descriptor(queries + k * 32), descriptor(keys + k * 32), k != 0);
    finish();
    float factors[2];
    for (int half = 0; half < 2; ++half) {
      float here = -INFINITY;
      for (int i = 0; i < 32; ++i)
        if (i / 2 % 2 == half) here = fmaxf(here, scores[i] * scale);
      here = fmaxf(greatest[half], most(here));
      factors[half] = exp2f(greatest[half] - here);
      greatest[half] = here;
      float sum = 0;
      for (int i = 0; i < 32; ++i)
        if (i / 2 % 2 == half) sum += scores[i] = exp2f(scores[i] * scale - here);
      weights[half] = weights[half] * factors[half] + total(sum);
    }
    for (int i = 0; i < 32; ++i) sums[i] *= factors[i / 2 % 2];
    unsigned parts[kRows / 16][4];
    for (int k = 0; k < kRows / 16; ++k)
      for (int i = 0; i < 4; ++i) parts[k][i] = pack(scores[k * 8 + 2 * i], scores[k * 8 + 2 * i + 1]);
    fence();
    for (int k = 0; k < kRows / 16; ++k) multiply(sums, parts[k], descriptor(values + k * 16 * 128));
    finish();
    if (threadIdx.x % 128 == 0) arrive(sharedAddress(&objects.empty[stage]));
  }
  const int lane = threadIdx.x % 32, row = threadIdx.x % 128 / 32 * 16 + lane / 4, column = lane % 4 * 2;
  for (int i = 0; i < 32; ++i) out[(row + i / 2 % 2 * 8) * kDepth + i / 4 * 8 + column + i % 2] = sums[i] / weights[i / 2 % 2];
}

__global__ void __launch_bounds__(128 * (kGroups + 1), 1) attention(const __grid_constant__ CUtensorMap queries, const __grid_constant__ CUtensorMap keys,
                                                                 const __grid_constant__ CUtensorMap values, float* out, int length, float scale) {
  extern __shared__ __align__(1024) unsigned char tiles[];  // kGroups of queries, then kStages of keys and values
  __shared__ Objects objects;
  const int group = __shfl_sync(0xffffffff, static_cast<int>(threadIdx.x) / 128, 0), first = blockIdx.y * length, row = first + blockIdx.x * kBlockRows;
  if (threadIdx.x == 0) {
    begin(sharedAddress(&objects.queries), 1);
    for (int stage = 0; stage < kStages; ++stage) {
      begin(sharedAddress(&objects.full[stage]), 1);
      begin(sharedAddress(&objects.empty[stage]), kGroups);
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  const unsigned own = sharedAddress(tiles), staged = own + kGroups * kTileBytes;
  const int count = length / kRows;
  if (group == 0) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    if (threadIdx.x != 0) return;
    expect(sharedAddress(&objects.queries), kGroups * kTileBytes);
    for (int i = 0; i < kGroups; ++i) load(own + i * kTileBytes, &queries, row + i * kRows, sharedAddress(&objects.queries));
    for (int tile = 0; tile < count; ++tile) {
      const int stage = tile % kStages;
      const unsigned to = staged + stage * 2 * kTileBytes, full = sharedAddress(&objects.full[stage]);
      if (tile >= kStages) await(sharedAddress(&objects.empty[stage]), (tile / kStages - 1) % 2);
      expect(full, 2 * kTileBytes);
      load(to, &keys, first + tile * kRows, full);
      load(to + kTileBytes, &values, first + tile * kRows, full);
    }
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 208;");
    attend(out + (row + (group - 1) * kRows) * kDepth, own + (group - 1) * kTileBytes, staged, objects, count, scale);
  }
}

// In double precision, a row at a time.
std::vector<double> expected(const std::vector<__half>& q, const std::vector<__half>& k, const std::vector<__half>& v, int heads, int length) {
  std::vector<double> out(q.size());
  for (int head = 0; head < heads; ++head)
    for (int row = head * length; row < (head + 1) * length; ++row) {
      std::vector<double> weights(length);
      double sum = 0;
      for (int j = 0; j < length; ++j) {
        double score = 0;
        for (int d = 0; d < kDepth; ++d) score += double{__half2float(q[row * kDepth + d])} * double{__half2float(k[(head * length + j) * kDepth + d])};
        sum += weights[j] = std::exp(score / std::sqrt(double{kDepth}));
      }
      for (int j = 0; j < length; ++j)
        for (int d = 0; d < kDepth; ++d) out[row * kDepth + d] += weights[j] / sum * double{__half2float(v[(head * length + j) * kDepth + d])};
    }
  return out;
}

int main() {
  constexpr int kHeads = 2, kLength = 256, kAll = kHeads * kLength;
  const auto numbers = [](unsigned seed) {
    return table(kAll * kDepth, [seed](size_t i) -> __half {
      const unsigned mixed = (static_cast<unsigned>(i) + seed) * 2654435761u;
      return __float2half(static_cast<float>(mixed >> 16 & 0xff) / 64.0f - 2.0f);
    });
  };
  const std::vector<__half> q = numbers(1), k = numbers(77777), v = numbers(424242);
  Buffer<__half> queries(q), keys(k), values(v);
  Buffer<float> out(kAll * kDepth);
  constexpr int kShared = (kGroups + 2 * kStages) * kTileBytes;
  CUDA(cudaFuncSetAttribute(attention, cudaFuncAttributeMaxDynamicSharedMemorySize, kShared));
  const float scale = 1.4426950408889634f / std::sqrt(static_cast<float>(kDepth));
  attention<<<dim3(kLength / kBlockRows, kHeads), 128 * (kGroups + 1), kShared>>>(mapOf(queries.get(), kAll), mapOf(keys.get(), kAll), mapOf(values.get(), kAll),
                                                                                   out, kLength, scale);
  CUDA(cudaGetLastError());
  const std::vector<float> got = out.read();
  const std::vector<double> wanted = expected(q, k, v, kHeads, kLength);
  double worst = 0;
  for (size_t i = 0; i < got.size(); ++i) worst = std::fmax(worst, std::fabs(got[i] - wanted[i]));
  check::that(worst < 2e-3, "attention is that of double precision, but for weights of 11 bits");
  return check::finish();
}
