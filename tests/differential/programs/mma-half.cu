// mma.sync m16n8k16 and m16n8k8 with half and bfloat factors by inline PTX, with fragments laid out as the PTX ISA draws them.
// arch: 80
#include "check.hpp"
#include "matrices.hpp"
#include "narrow.hpp"

// Two neighbouring 16-bit elements as one register.
__device__ unsigned pair(const unsigned short* matrix, int index, int step) {
  return matrix[index] | static_cast<unsigned>(matrix[index + step]) << 16;
}

// a: 16 x 16, b: 16 x 8, c and d: 16 x 8; all row-major.
__global__ void multiply(const unsigned short* a, const unsigned short* b, const float* c, float* d, bool bfloat) {
  const int group = threadIdx.x / 4, thread = threadIdx.x % 4, left = 2 * thread, place = 8 * group + left;
  const unsigned a0 = pair(a, 16 * group + left, 1), a1 = pair(a, 16 * (group + 8) + left, 1);
  const unsigned a2 = pair(a, 16 * group + left + 8, 1), a3 = pair(a, 16 * (group + 8) + left + 8, 1);
  const unsigned b0 = pair(b, 8 * left + group, 8), b1 = pair(b, 8 * (left + 8) + group, 8);
  float s[4] = {c[place], c[place + 1], c[place + 64], c[place + 65]};
  if (bfloat) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3])
                 : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
  } else {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3])
                 : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
  }
  d[place] = s[0], d[place + 1] = s[1], d[place + 64] = s[2], d[place + 65] = s[3];
}

// The first half of k alone, with sums in half.
__global__ void narrowSums(const unsigned short* a, const unsigned short* b, unsigned* d) {
  const int group = threadIdx.x / 4, left = threadIdx.x % 4 * 2;
  const unsigned a0 = pair(a, 16 * group + left, 1), a1 = pair(a, 16 * (group + 8) + left, 1), b0 = pair(b, 8 * left + group, 8);
  unsigned s0 = 0, s1 = 0;
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0,%1}, {%2,%3}, {%4}, {%0,%1};"
               : "+r"(s0), "+r"(s1)
               : "r"(a0), "r"(a1), "r"(b0));
  d[4 * group + left / 2] = s0, d[4 * (group + 8) + left / 2] = s1;
}

int main() {
  const auto a = matrix(16, 16, 1, 9), b = matrix(16, 8, 2, 9), c = matrix(16, 8, 3, 100);
  const auto wanted = as<float>(product(a, b, c, 16, 8, 16));
  Buffer<unsigned short> ha(table(256, [&](size_t i) { return toHalf(a[i]); })), hb(table(128, [&](size_t i) { return toHalf(b[i]); }));
  Buffer<unsigned short> ba(table(256, [&](size_t i) { return toBfloat(a[i]); })), bb(table(128, [&](size_t i) { return toBfloat(b[i]); }));
  Buffer<float> dc(as<float>(c)), d(128);
  multiply<<<1, 32>>>(ha, hb, dc, d, false);
  check::same(d.read(), wanted, "half");
  multiply<<<1, 32>>>(ba, bb, dc, d, true);
  check::same(d.read(), wanted, "bfloat");
  Buffer<unsigned> narrow(64);
  narrowSums<<<1, 32>>>(ha, hb, narrow);
  const auto left = table(128, [&](size_t i) { return a[i / 8 * 16 + i % 8]; });
  const auto sums = product(left, b, std::vector<int>(128), 16, 8, 8);
  check::same(narrow.read(), table(64, [&](size_t i) { return toHalf(sums[2 * i]) | static_cast<unsigned>(toHalf(sums[2 * i + 1])) << 16; }), "sums in half");
  return check::finish();
}
