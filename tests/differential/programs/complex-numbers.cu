// cuComplex.h on device and host: products, quotients, magnitudes. The values are such that every result is exact.
#include <cuComplex.h>

#include "check.hpp"

constexpr int kCount = 64, kResults = 8;

__host__ __device__ void all(int i, float* out, double* wide) {
  const cuFloatComplex a = make_cuFloatComplex(3.0f * (i + 1), 4.0f * (i + 1)), b = make_cuComplex(0.0f, 2.0f);
  const cuFloatComplex results[3] = {cuCmulf(a, cuConjf(b)), cuCdivf(a, b), cuCfmaf(a, b, a)};
  for (int k = 0; k < 3; ++k) out[2 * k] = cuCrealf(results[k]), out[2 * k + 1] = cuCimagf(results[k]);
  out[6] = cuCabsf(a);
  out[7] = cuCabsf(make_cuFloatComplex(0, 0));
  const cuDoubleComplex c = cuCsub(cuComplexFloatToDouble(a), cuCadd(make_cuDoubleComplex(1, 1), make_cuDoubleComplex(2, 3)));
  wide[0] = cuCreal(c), wide[1] = cuCimag(c);
}

__global__ void compute(float* out, double* wide) {
  const int i = threadIdx.x;
  all(i, out + kResults * i, wide + 2 * i);
}

int main() {
  Buffer<float> out(kCount * kResults);
  Buffer<double> wide(2 * kCount);
  compute<<<1, kCount>>>(out, wide);
  std::vector<float> wanted, host(kCount * kResults);
  std::vector<double> wantedWide, hostWide(2 * kCount);
  for (int i = 0; i < kCount; ++i) {
    const float n = static_cast<float>(i + 1);
    wanted.insert(wanted.end(), {8 * n, -6 * n, 2 * n, -1.5f * n, -5 * n, 10 * n, 5 * n, 0});
    wantedWide.insert(wantedWide.end(), {3 * n - 3.0, 4 * n - 4.0});
    all(i, host.data() + kResults * i, hostWide.data() + 2 * i);
  }
  // The magnitude's last bit is the implementation's own; everything else is exact.
  const auto rounded = [](std::vector<float> values) {
    for (size_t i = 6; i < values.size(); i += kResults) values[i] = static_cast<float>(static_cast<int>(values[i] + 0.5f));
    return values;
  };
  check::same(rounded(out.read()), wanted, "device");
  check::same(rounded(host), wanted, "host");
  check::same(wide.read(), wantedWide, "double precision on the device");
  check::same(hostWide, wantedWide, "on the host");
  return check::finish();
}
