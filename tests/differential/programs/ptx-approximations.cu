// The approximate functions: rcp, rsqrt, sqrt, sin, cos, ex2, lg2 and tanh stay within what the PTX ISA allows.
#include <cmath>

#include "check.hpp"

constexpr int kCount = 1024, kFunctions = 8;

__global__ void compute(const float* values, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float x = values[i];
  float* r = out + kFunctions * i;
  asm("rcp.approx.f32 %0, %1;" : "=f"(r[0]) : "f"(x));
  asm("rsqrt.approx.f32 %0, %1;" : "=f"(r[1]) : "f"(x));
  asm("sqrt.approx.f32 %0, %1;" : "=f"(r[2]) : "f"(x));
  asm("sin.approx.f32 %0, %1;" : "=f"(r[3]) : "f"(x));
  asm("cos.approx.f32 %0, %1;" : "=f"(r[4]) : "f"(x));
  asm("ex2.approx.f32 %0, %1;" : "=f"(r[5]) : "f"(x));
  asm("lg2.approx.f32 %0, %1;" : "=f"(r[6]) : "f"(x));
  asm("tanh.approx.f32 %0, %1;" : "=f"(r[7]) : "f"(x));
}

int main() {
  const auto values = table(kCount, [](size_t i) { return 0.003f + 3.1f * i / kCount; });
  Buffer<float> in(values), out(kCount * kFunctions);
  compute<<<kCount / 128, 128>>>(in, out);
  const auto got = out.read();
  const char* names[] = {"rcp", "rsqrt", "sqrt", "sin", "cos", "ex2", "lg2", "tanh"};
  // Bounds on the relative error; on the absolute one for sin, cos, and lg2 of numbers between 0.5 and 2.
  const double bounds[] = {1.2e-7, 3.5e-7, 4e-7, 4.8e-7, 4.8e-7, 2.5e-7, 2.4e-7, 4.9e-4};
  for (int k = 0; k < kFunctions; ++k) {
    double worst = 0;
    for (int i = 0; i < kCount; ++i) {
      const double x = values[i];
      const double exact[] = {1 / x, 1 / std::sqrt(x), std::sqrt(x), std::sin(x), std::cos(x), std::exp2(x), std::log2(x), std::tanh(x)};
      const bool absolute = k == 3 || k == 4 || (k == 6 && x > 0.5 && x < 2);
      const double error = std::fabs(got[kFunctions * i + k] - exact[k]) / (absolute ? 1 : std::fabs(exact[k]));
      worst = error > worst ? error : worst;
    }
    check::that(worst <= bounds[k], names[k]);
  }
  return check::finish();
}
