// PTX: add.f16
// PTX: fma.rn.f16x2
// PTX: fma.rn.relu.f16
// PTX: min.NaN.f16
// PTX: setp.ltu.f16
// PTX: atom.add.noftz.f16x2
// PTX: cvt.rm.f16.f32
// PTX: cvt.rzi.s32.f16
// PTX: add.bf16
// PTX: fma.rn.bf16x2
// PTX: atom.add.noftz.bf16
// PTX: cvt.rn.bf16.f32
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdio>

template <typename T, typename T2>
__host__ __device__ T arithmetic(T a, T b, T2 pair) {
  T c = a + b * a - b / a;
  c += __hfma(a, b, c), c -= __hmin(a, b), c *= __hmax(a, b), c = __hadd(-c, __habs(b));
  c = __hfma_relu(a, b, c) + __hmin_nan(a, c) + __hadd_sat(a, b) + __hfma_sat(a, b, c);
  pair = __hfma2(pair, pair + pair, T2(a, b)) - __hmin2(pair, __hneg2(pair)) / pair;
  if (a < b || __hltu(a, c) || __hbeq2(pair, pair)) c += pair.x;
  if (__hisnan(c) || __hisinf(a)) c = pair.y;
  return __heq2_mask(pair, pair) != 0 ? c : a;
}

__global__ void kernel(__half* h, __half2* h2, __nv_bfloat16* b, __nv_bfloat162* b2, float* f, int* i) {
  h[0] = arithmetic(h[1], h[2], h2[0]);
  b[0] = arithmetic(b[1], b[2], b2[0]);
  h[3] = hexp(h[4]) + hsqrt(h[5]) + hlog(h[6]) + htanh(h[7]) + hfloor(h[8]) + hrcp(h[9]);
  b[3] = hexp2(b[4]) + hrsqrt(b[5]) + hsin(b[6]) + hrint(b[7]);
  h2[1] = h2exp(h2[2]) + __shfl_xor_sync(0xffffffffu, h2[3], 1);
  b[8] = __shfl_down_sync(0xffffffffu, b[9], 1u) + __ldg(b + 10);
  atomicAdd(h, h[1]), atomicAdd(h2, h2[1]), atomicAdd(b, b[1]), atomicAdd(b2, b2[1]);
  f[0] = __half2float(h[1]) + __bfloat162float(b[1]) + float(h[2]) + __low2float(h2[1]);
  h2[4] = __floats2half2_rn(f[1], f[2]), b2[4] = __floats2bfloat162_rn(f[1], f[2]);
  h[10] = __float2half_rd(f[3]), h[11] = __double2half(2.5), h[12] = 3, b[11] = 0.5f;
  i[0] = __half2int_rz(h[1]) + (int)b[3] + __bfloat162int_rn(b[1]);
  h[13] = __int2half_rn(i[1]), h[14] = __ushort_as_half((unsigned short)i[2]), i[3] = __half_as_ushort(h[1]);
}

int main() {
  const __half sum = arithmetic(__half(1.5f), __half(0.25f), __half2(2.0f, 3.0f));
  const __nv_bfloat16 other = arithmetic(__nv_bfloat16(1.5f), __nv_bfloat16(0.25f), __nv_bfloat162(2.0f, 3.0f));
  std::printf("%g %g\n", float(sum), float(other));
  return 0;
}
