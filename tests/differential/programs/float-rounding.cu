// Arithmetic with named rounding, of float and double: the bounds enclose the exact result and are neighbours.
#include <cfenv>
#include <cmath>

#include "check.hpp"

constexpr int kCount = 512, kModes = 4;

template <typename T>
__device__ void modes(T a, T b, T* out);
template <>
__device__ void modes(float a, float b, float* out) {
  out[0] = __fadd_rn(a, b), out[1] = __fadd_rz(a, b), out[2] = __fadd_rd(a, b), out[3] = __fadd_ru(a, b);
  out[4] = __fmul_rn(a, b), out[5] = __fmul_rz(a, b), out[6] = __fmul_rd(a, b), out[7] = __fmul_ru(a, b);
  out[8] = __fdiv_rn(a, b), out[9] = __fdiv_rz(a, b), out[10] = __fdiv_rd(a, b), out[11] = __fdiv_ru(a, b);
  const float c = fabsf(a);
  out[12] = __fsqrt_rn(c), out[13] = __fsqrt_rz(c), out[14] = __fsqrt_rd(c), out[15] = __fsqrt_ru(c);
  out[16] = __fmaf_rn(a, b, a), out[17] = __fmaf_rz(a, b, a), out[18] = __fmaf_rd(a, b, a), out[19] = __fmaf_ru(a, b, a);
}
template <>
__device__ void modes(double a, double b, double* out) {
  out[0] = __dadd_rn(a, b), out[1] = __dadd_rz(a, b), out[2] = __dadd_rd(a, b), out[3] = __dadd_ru(a, b);
  out[4] = __dmul_rn(a, b), out[5] = __dmul_rz(a, b), out[6] = __dmul_rd(a, b), out[7] = __dmul_ru(a, b);
  out[8] = __ddiv_rn(a, b), out[9] = __ddiv_rz(a, b), out[10] = __ddiv_rd(a, b), out[11] = __ddiv_ru(a, b);
  const double c = fabs(a);
  out[12] = __dsqrt_rn(c), out[13] = __dsqrt_rz(c), out[14] = __dsqrt_rd(c), out[15] = __dsqrt_ru(c);
  out[16] = __fma_rn(a, b, a), out[17] = __fma_rz(a, b, a), out[18] = __fma_rd(a, b, a), out[19] = __fma_ru(a, b, a);
}

template <typename T>
__global__ void compute(const T* values, T* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  modes(values[i], values[(i + 7) % kCount], out + 20 * i);
}

// The host's own arithmetic in a rounding mode of its own; volatile, so that nothing is computed before the mode is set.
template <typename T>
std::vector<T> wanted(const std::vector<T>& values) {
  const int hostModes[kModes] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
  std::vector<T> results(20 * kCount);
  for (int mode = 0; mode < kModes; ++mode) {
    std::fesetround(hostModes[mode]);
    for (int i = 0; i < kCount; ++i) {
      volatile T a = values[i], b = values[(i + 7) % kCount], absolute = std::fabs(values[i]);
      volatile T sum = a + b, product = a * b, quotient = a / b, root = std::sqrt(absolute), fused = std::fma(a, b, a);
      T* row = &results[20 * i + mode];
      row[0] = sum, row[4] = product, row[8] = quotient, row[12] = root, row[16] = fused;
    }
  }
  std::fesetround(FE_TONEAREST);
  return results;
}

template <typename T>
void run(const char* what) {
  const auto values = table(kCount, [](size_t i) {
    return std::ldexp(static_cast<T>(1) / static_cast<T>(i * 7919 % 997 + 3), static_cast<int>(i * 31 % 41) - 20) * (i % 3 == 1 ? -1 : 1);
  });
  Buffer<T> in(values), out(20 * kCount);
  compute<T><<<kCount / 64, 64>>>(in, out);
  check::same(out.read(), wanted(values), what);
}

int main() {
  run<float>("float");
  run<double>("double");
  return check::finish();
}
