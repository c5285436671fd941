// y = alpha x + y over long vectors: one fused multiply-add per 12 bytes moved, the pure streaming case.
#include "../common/workload.hpp"
#include "reference.hpp"

using namespace workloads;

constexpr int kThreads = 256;
constexpr int kElementsPerThread = 4;

// A fixed number of threads strides over the vectors.
__global__ void saxpy(float alpha, const float* x, float* y, int n) {
  const int threads = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) y[i] = alpha * x[i] + y[i];
}

int main(int argc, char** argv) {
  const Options options = parseOptions(
      argc, argv,
      {"saxpy", "y = alpha x + y, single precision", "100,003 elements", "1,000,003 elements", "2,097,152 elements (8 MB arrays)", {}});
  const int n = options.pick(100'003, 1'000'003, 2'097'152);
  const float alpha = 1.75f;

  Random random(1);
  const std::vector<float> x = uniformFloats(random, n, -4.0f, 4.0f);
  std::vector<float> expected = uniformFloats(random, n, -4.0f, 4.0f);

  Timings timings;
  const DeviceArray<float> deviceX(x), deviceY(expected);
  timings.kernels([&] { saxpy<<<divideUp(n, kThreads * kElementsPerThread), kThreads>>>(alpha, deviceX.data(), deviceY.data(), n); });
  timings.reference([&] { referenceSaxpy(alpha, x, expected); });
  timings.print();

  // One rounding (fused) against two: at most one unit in the last place of the product, |alpha x| < 8.
  return report("saxpy", expectNear("y", expected, deviceY.download(), 1e-6f, 1e-6f));
}
