// __frsqrt_rn against the exact bounds, fma that keeps denormals, and swapped bytes.
// options: -ftz=true
#include <cmath>

#include "check.hpp"

constexpr unsigned kCount = 16384;

__global__ void compute(const float* in, float* roots, float* products, unsigned long long* swapped) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  roots[i] = __frsqrt_rn(in[i]);
  products[4 * i] = __fmaf_ieee_rn(in[i], 0x1p-140f, 0.0f);
  products[4 * i + 1] = __fmaf_ieee_rz(in[i], 0x1p-140f, 0.0f);
  products[4 * i + 2] = __fmaf_ieee_rd(in[i], 0x1p-140f, 0.0f);
  products[4 * i + 3] = __fmaf_ieee_ru(in[i], 0x1p-140f, 0.0f);
  swapped[i] = __nv_bswap64(i * 0x0123456789abcdefull) + __nv_bswap32(i * 77777u) + __nv_bswap16(static_cast<unsigned short>(i));
}

template <typename T>
T reversed(T value) {
  T result = 0;
  for (unsigned k = 0; k < sizeof(T); ++k) result = static_cast<T>(result << 8 | (value >> 8 * k & 0xff));
  return result;
}

// A double has more than twice the bits of a float, so that its root and quotient round to the float that the exact value rounds to.
float root(float x) { return static_cast<float>(1.0 / std::sqrt(static_cast<double>(x))); }

// x * 2^-140 for x in [1, 4) is a whole number of smallest denormals (2^-149) and a fraction.
float scaled(float x, float (*rounding)(float)) { return std::ldexp(rounding(std::ldexp(x, 9)), -149); }

int main() {
  const auto values = table(kCount, [](size_t i) { return 1.0f + static_cast<float>(i) * 3 / kCount + static_cast<float>(i % 7) * 0x1p-21f; });
  Buffer<float> in(values), roots(kCount), products(4 * kCount);
  Buffer<unsigned long long> swapped(kCount);
  compute<<<kCount / 64, 64>>>(in, roots, products, swapped);
  check::same(roots.read(), table(kCount, [&](size_t i) { return root(values[i]); }), "reciprocal roots");
  check::same(products.read(), table(4 * kCount, [&](size_t i) {
    const float x = values[i / 4];
    switch (i % 4) {
      case 0: return scaled(x, std::nearbyint);
      case 3: return scaled(x, std::ceil);
      default: return scaled(x, std::floor);
    }
  }), "denormal products");
  check::same(swapped.read(), table(kCount, [](size_t i) {
    return reversed<unsigned long long>(i * 0x0123456789abcdefull) + reversed<unsigned>(static_cast<unsigned>(i * 77777u)) +
           reversed<unsigned short>(static_cast<unsigned short>(i));
  }), "swapped bytes");
  return check::finish();
}
