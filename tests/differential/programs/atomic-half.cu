// Atomic additions of __half, __half2 and __nv_bfloat162; the sums are exact in the narrow type.
// arch: 80
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "check.hpp"

__global__ void add(__half* halves, __half2* pairs, __nv_bfloat162* bfloats, __nv_bfloat16* bfloat) {
  atomicAdd(halves + threadIdx.x % 3, __float2half(1.5f));
  atomicAdd(pairs, __floats2half2_rn(0.25f, -2.0f));
  atomicAdd(bfloats, __floats2bfloat162_rn(1.0f, 0.5f));
  atomicAdd(bfloat, __float2bfloat16(2.0f));
}

__global__ void toFloat(const __half* halves, const __half2* pairs, const __nv_bfloat162* bfloats, const __nv_bfloat16* bfloat, float* out) {
  for (int i = 0; i < 3; ++i) out[i] = __half2float(halves[i]);
  out[3] = __low2float(*pairs);
  out[4] = __high2float(*pairs);
  out[5] = __low2float(*bfloats);
  out[6] = __high2float(*bfloats);
  out[7] = __bfloat162float(*bfloat);
}

int main() {
  Buffer<unsigned short> halves(4), bfloat(2);
  Buffer<unsigned> pair(1), bfloats(1);
  auto* h = reinterpret_cast<__half*>(halves.get());
  auto* h2 = reinterpret_cast<__half2*>(pair.get());
  auto* b = reinterpret_cast<__nv_bfloat16*>(bfloat.get());
  auto* b2 = reinterpret_cast<__nv_bfloat162*>(bfloats.get());
  Buffer<float> out(8);
  add<<<2, 48>>>(h, h2, b2, b);
  toFloat<<<1, 1>>>(h, h2, b2, b, out);
  check::same(out.read(), {48, 48, 48, 24, -192, 96, 48, 192}, "sums");
  return check::finish();
}
