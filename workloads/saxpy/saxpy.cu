// y = alpha x + y over long vectors: one fused multiply-add per 12 bytes moved, the pure streaming case. In the variant `separate` the sums
// go to a third vector, so that no store meets a line that the kernel has read.
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

__global__ void saxpySeparate(float alpha, const float* x, const float* y, float* z, int n) {
  const int threads = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) z[i] = alpha * x[i] + y[i];
}

int main(int argc, char** argv) {
  const Options options = parseOptions(argc, argv,
                                       {"saxpy",
                                        "y = alpha x + y, single precision",
                                        "100,003 elements",
                                        "1,000,003 elements",
                                        "2,097,152 elements (8 MB arrays)",
                                        {"in-place", "separate"},
                                        "in-place"});
  const int n = options.pick(100'003, 1'000'003, 2'097'152);
  const float alpha = 1.75f;

  Random random(1);
  const std::vector<float> x = uniformFloats(random, n, -4.0f, 4.0f);
  const std::vector<float> y = uniformFloats(random, n, -4.0f, 4.0f);
  std::vector<float> expected = y;

  Timings timings;
  const int blocks = divideUp(n, kThreads * kElementsPerThread);
  const auto inPlace = [&] {
    const DeviceArray<float> deviceX(x), deviceY(y);
    timings.kernels([&] { saxpy<<<blocks, kThreads>>>(alpha, deviceX.data(), deviceY.data(), n); });
    return deviceY.download();
  };
  const auto separate = [&] {
    const DeviceArray<float> deviceX(x), deviceY(y), deviceZ(n);
    timings.kernels([&] { saxpySeparate<<<blocks, kThreads>>>(alpha, deviceX.data(), deviceY.data(), deviceZ.data(), n); });
    return deviceZ.download();
  };
  std::vector<float> gotInPlace, gotSeparate;
  if (options.runs("in-place")) gotInPlace = inPlace();
  if (options.runs("separate")) gotSeparate = separate();
  timings.reference([&] { referenceSaxpy(alpha, x, expected); });
  timings.print();

  // One rounding (fused) against two: at most one unit in the last place of the product, |alpha x| < 8.
  constexpr float kTolerance = 1e-6f;
  bool correct = true;
  if (options.runs("in-place")) correct = expectNear("y", expected, gotInPlace, kTolerance, kTolerance);
  if (options.runs("separate")) correct = expectNear("z", expected, gotSeparate, kTolerance, kTolerance) && correct;
  return report("saxpy", correct);
}
