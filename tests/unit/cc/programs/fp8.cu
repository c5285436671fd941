// PTX: cvt.rn.satfinite.e4m3x2.f32
// PTX: cvt.rn.satfinite.e5m2x2.f32
// PTX: cvt.rn.f16x2.e4m3x2
// PTX: cvt.rn.f16x2.e5m2x2
#include <cuda_fp8.h>

#include <cstdio>

__global__ void kernel(__nv_fp8_e4m3* e, __nv_fp8_e5m2* q, __nv_fp8x2_e4m3* pair, __half2* h, float* f) {
  e[0] = __nv_fp8_e4m3(f[0]), q[0] = __nv_fp8_e5m2(f[1]);
  f[2] = float(e[1]) + float(q[1]);
  pair[0] = __nv_fp8x2_e4m3(h[0]), h[1] = __half2(pair[1]);
  e[2] = __nv_fp8_e4m3(h[2].x);
  e[3].__x = __nv_cvt_float_to_fp8(f[3], __NV_NOSAT, __NV_E4M3);
}

int main() {
  std::printf("%g %g\n", float(__nv_fp8_e4m3(3.3f)), float(__nv_fp8_e5m2(1e9f)));
  return 0;
}
