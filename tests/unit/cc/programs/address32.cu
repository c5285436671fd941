// FLAGS: -m32
// PTX: .address_size 32
// PTX: .param .u32 kernel_param_0
// PTX: ld.global.nc.f32
#include <cmath>
#include <cstdio>
#include <vector>
extern "C" __global__ void kernel(float* f, const float* g, int n) {
  static_assert(sizeof(void*) == (
#ifdef __CUDA_ARCH__
                                     4
#else
                                     8
#endif
                                     ));
  if (n > 3) printf("%f\n", f[0]);
  f[n] = std::sin(g[n]) + __ldg(g + 1);
}
int main() {
  std::vector<float> v(3);
  kernel<<<1, 1>>>(nullptr, nullptr, 1);
  return 0;
}
