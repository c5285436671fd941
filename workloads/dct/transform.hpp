// The discrete cosine transform of eight values and its inverse, by symmetry: 22 products instead of 64. With whole numbers the
// results are sums of the same products as in the definition, hence exactly equal to it before rounding.
#pragma once

#include <cuda_runtime.h>

namespace dct {

constexpr int kSide = 8;

// cK = cos(K pi / 16) / 2, which also contains the factor that makes the transform orthonormal.
template <class T>
struct Cosines;

template <>
struct Cosines<float> {
  static constexpr float c1 = 0.49039264f, c2 = 0.46193977f, c3 = 0.41573481f, c4 = 0.35355339f, c5 = 0.27778512f, c6 = 0.19134172f,
                         c7 = 0.097545161f;
};

// In units of 2^-kCosineBits.
constexpr int kCosineBits = 14;
template <>
struct Cosines<int> {
  static constexpr int c1 = 8035, c2 = 7568, c3 = 6811, c4 = 5793, c5 = 4551, c6 = 3135, c7 = 1598;
};

struct Forward {
  template <class T>
  static __device__ void apply(T (&v)[kSide]) {
    using C = Cosines<T>;
    const T sum0 = v[0] + v[7], sum1 = v[1] + v[6], sum2 = v[2] + v[5], sum3 = v[3] + v[4];
    const T odd0 = v[0] - v[7], odd1 = v[1] - v[6], odd2 = v[2] - v[5], odd3 = v[3] - v[4];
    const T outer = sum0 + sum3, inner = sum1 + sum2, outerOdd = sum0 - sum3, innerOdd = sum1 - sum2;
    v[0] = C::c4 * (outer + inner);
    v[4] = C::c4 * (outer - inner);
    v[2] = C::c2 * outerOdd + C::c6 * innerOdd;
    v[6] = C::c6 * outerOdd - C::c2 * innerOdd;
    v[1] = C::c1 * odd0 + C::c3 * odd1 + C::c5 * odd2 + C::c7 * odd3;
    v[3] = C::c3 * odd0 - C::c7 * odd1 - C::c1 * odd2 - C::c5 * odd3;
    v[5] = C::c5 * odd0 - C::c1 * odd1 + C::c7 * odd2 + C::c3 * odd3;
    v[7] = C::c7 * odd0 - C::c5 * odd1 + C::c3 * odd2 - C::c1 * odd3;
  }
};

struct Inverse {
  template <class T>
  static __device__ void apply(T (&v)[kSide]) {
    using C = Cosines<T>;
    const T outer = C::c4 * (v[0] + v[4]), inner = C::c4 * (v[0] - v[4]);
    const T outerOdd = C::c2 * v[2] + C::c6 * v[6], innerOdd = C::c6 * v[2] - C::c2 * v[6];
    const T even0 = outer + outerOdd, even1 = inner + innerOdd, even2 = inner - innerOdd, even3 = outer - outerOdd;
    const T odd0 = C::c1 * v[1] + C::c3 * v[3] + C::c5 * v[5] + C::c7 * v[7];
    const T odd1 = C::c3 * v[1] - C::c7 * v[3] - C::c1 * v[5] - C::c5 * v[7];
    const T odd2 = C::c5 * v[1] - C::c1 * v[3] + C::c7 * v[5] + C::c3 * v[7];
    const T odd3 = C::c7 * v[1] - C::c5 * v[3] + C::c3 * v[5] - C::c1 * v[7];
    v[0] = even0 + odd0, v[7] = even0 - odd0;
    v[1] = even1 + odd1, v[6] = even1 - odd1;
    v[2] = even2 + odd2, v[5] = even2 - odd2;
    v[3] = even3 + odd3, v[4] = even3 - odd3;
  }
};

}  // namespace dct
