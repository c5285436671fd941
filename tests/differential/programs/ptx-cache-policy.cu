// createpolicy and accesses with a policy, eviction priorities, prefetch sizes, prefetches, applypriority and discard.
// arch: 80
#include "check.hpp"

__global__ void access(const int* in, int* out, int* scratch) {
  const int i = threadIdx.x;
  unsigned long long last, first, range;
  asm volatile("createpolicy.fractional.L2::evict_last.L2::evict_unchanged.b64 %0, 0.5;" : "=l"(last));
  asm volatile("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(first));
  asm volatile("createpolicy.range.global.L2::evict_last.L2::evict_unchanged.b64 %0, [%1], 256, 512;" : "=l"(range) : "l"(in));
  int a, b, c, d, e;
  asm volatile("ld.global.L2::cache_hint.s32 %0, [%1], %2;" : "=r"(a) : "l"(in + i), "l"(last));
  asm volatile("ld.global.nc.L1::no_allocate.L2::128B.s32 %0, [%1];" : "=r"(b) : "l"(in + 32 + i));
  asm volatile("ld.global.L1::evict_last.L2::256B.s32 %0, [%1];" : "=r"(c) : "l"(in + 64 + i));
  asm volatile("ld.relaxed.gpu.global.L1::evict_first.L2::cache_hint.s32 %0, [%1], %2;" : "=r"(d) : "l"(in + 96 + i), "l"(range));
  asm volatile("st.global.L2::cache_hint.s32 [%0], %1, %2;" ::"l"(out + i), "r"(a + 2 * b + 4 * c + 8 * d), "l"(first) : "memory");
  asm volatile("prefetch.global.L2 [%0];" ::"l"(in + i));
  asm volatile("prefetch.global.L1 [%0];" ::"l"(in + i));
  asm volatile("prefetchu.L1 [%0];" ::"l"(in + i));
  asm volatile("applypriority.global.L2::evict_normal [%0], 128;" ::"l"(in) : "memory");
  asm volatile("red.global.add.L2::cache_hint.s32 [%0], %1, %2;" ::"l"(out + 32), "r"(i), "l"(last) : "memory");
  asm volatile("atom.global.add.L2::cache_hint.s32 %0, [%1], %2, %3;" : "=r"(e) : "l"(out + 33), "r"(1), "l"(last) : "memory");
  if (e < 0) out[34] = 1;
  // What is discarded may be read only after it was written again.
  if (i == 0) asm volatile("discard.global.L2 [%0], 128;" ::"l"(scratch) : "memory");
  __syncwarp();
  scratch[i] = 5 * i;
}

int main() {
  Buffer<int> in(table(128, [](size_t i) { return static_cast<int>(i * i); })), out(35), scratch(32);
  access<<<1, 32>>>(in, out, scratch);
  check::same(out.read(), table(35, [](size_t index) {
    const int i = static_cast<int>(index);
    if (i >= 32) return i == 32 ? 496 : i == 33 ? 32 : 0;
    return i * i + 2 * (i + 32) * (i + 32) + 4 * (i + 64) * (i + 64) + 8 * (i + 96) * (i + 96);
  }), "values");
  check::same(scratch.read(), table(32, [](size_t i) { return static_cast<int>(5 * i); }), "written after a discard");
  return check::finish();
}
