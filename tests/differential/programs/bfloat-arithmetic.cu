// __nv_bfloat16 and __nv_bfloat162: arithmetic, comparisons and conversions.
// arch: 80
#include <cuda_bf16.h>

#include "check.hpp"
#include "narrow.hpp"

constexpr int kCount = 2048, kResults = 8;

__device__ unsigned short bits(__nv_bfloat16 value) { return __bfloat16_as_ushort(value); }

__global__ void compute(const __nv_bfloat16* values, unsigned short* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const __nv_bfloat16 a = values[i], b = values[(i * 5 + 3) % kCount];
  unsigned short* row = out + kResults * i;
  row[0] = bits(a + b);
  row[1] = bits(__hsub(a, b));
  row[2] = bits(a * b);
  row[3] = bits(__hfma(a, b, b));
  row[4] = bits(__hmax(a, b));
  row[5] = bits(__float2bfloat16(__bfloat162float(a) * 1.001f));
  const __nv_bfloat162 pair = __hmul2(__halves2bfloat162(a, b), __bfloat162bfloat162(b));
  row[6] = bits(__high2bfloat16(pair));
  row[7] = static_cast<unsigned short>(__hlt(a, b) + 2 * __hge(a, b) + 4 * __hisnan(a));
}

int main() {
  const auto values = table(kCount, [](size_t i) {
    return static_cast<unsigned short>(0x3000 + i * 7919 % 0x1f00 | (i % 3 == 0 ? 0x8000 : 0));
  });
  Buffer<unsigned short> in(values), out(kCount * kResults);
  compute<<<kCount / 128, 128>>>(reinterpret_cast<const __nv_bfloat16*>(in.get()), out);
  std::vector<unsigned short> wanted(kCount * kResults);
  for (int i = 0; i < kCount; ++i) {
    const double a = fromBfloat(values[i]), b = fromBfloat(values[(i * 5 + 3) % kCount]);
    unsigned short* row = &wanted[kResults * i];
    row[0] = toBfloat(a + b);
    row[1] = toBfloat(a - b);
    row[2] = toBfloat(a * b);
    row[3] = toBfloat(a * b + b);
    row[4] = toBfloat(a > b ? a : b);
    row[5] = toBfloat(static_cast<float>(a) * 1.001f);
    row[6] = toBfloat(b * b);
    row[7] = static_cast<unsigned short>(a < b ? 1 : 2);
  }
  check::same(out.read(), wanted, "results");
  return check::finish();
}
