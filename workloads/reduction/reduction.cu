// Sum of integers by a tree in shared memory, two ways:
//   interleaved  thread t adds neighbours at a growing stride, 2 s t and 2 s t + s: bank conflicts double with every level;
//   sequential   the lower half adds the upper half: no conflicts.
#include <utility>

#include "../common/workload.hpp"

using namespace workloads;

constexpr int kThreads = 256;

__device__ int load(const int* in, int i, int n) { return i < n ? in[i] : 0; }

__global__ void reduceInterleaved(const int* in, int* out, int n) {
  __shared__ int partial[kThreads];
  const int thread = threadIdx.x;
  partial[thread] = load(in, blockIdx.x * kThreads + thread, n);
  __syncthreads();
  for (int stride = 1; stride < kThreads; stride *= 2) {
    const int index = 2 * stride * thread;
    if (index < kThreads) partial[index] += partial[index + stride];
    __syncthreads();
  }
  if (thread == 0) out[blockIdx.x] = partial[0];
}

__global__ void reduceSequential(const int* in, int* out, int n) {
  __shared__ int partial[kThreads];
  const int thread = threadIdx.x;
  partial[thread] = load(in, blockIdx.x * kThreads + thread, n);
  __syncthreads();
  for (int stride = kThreads / 2; stride > 0; stride /= 2) {
    if (thread < stride) partial[thread] += partial[thread + stride];
    __syncthreads();
  }
  if (thread == 0) out[blockIdx.x] = partial[0];
}

using Kernel = void (*)(const int*, int*, int);
struct Version {
  const char* name;
  Kernel kernel;
};
constexpr Version kVersions[] = {{"interleaved", reduceInterleaved}, {"sequential", reduceSequential}};

// Launches passes until one sum is left; returns the array that holds it. Destroys `first` beyond its first pass.
int* reduceAll(Kernel kernel, const int* in, int* first, int* second, int n) {
  while (true) {
    const int blocks = divideUp(n, kThreads);
    kernel<<<blocks, kThreads>>>(in, first, n);
    if (blocks == 1) return first;
    in = first;
    n = blocks;
    std::swap(first, second);
  }
}

int referenceSum(const std::vector<int>& in) {
  int sum = 0;
  for (int value : in) sum += value;
  return sum;
}

int main(int argc, char** argv) {
  const Options options = parseOptions(argc, argv,
                                       {"reduction",
                                        "sum of integers by a shared-memory tree, with and without bank conflicts",
                                        "128 blocks of 256 threads",
                                        "4096 blocks of 256 threads",
                                        "16384 blocks of 256 threads",
                                        {"interleaved", "sequential"}});
  const int n = options.pick(128, 4096, 16384) * kThreads;

  Random random(4);
  std::vector<int> in(n);
  for (int& value : in) value = int(random.below(512)) - 200;
  int expected = 0;
  Timings timings;
  timings.reference([&] { expected = referenceSum(in); });

  const DeviceArray<int> deviceIn(in), first(divideUp(n, kThreads)), second(divideUp(n, kThreads));
  bool correct = true;
  for (const Version& version : kVersions) {
    if (!options.runs(version.name)) continue;
    int* sum = nullptr;
    timings.kernels([&] { sum = reduceAll(version.kernel, deviceIn.data(), first.data(), second.data(), n); });
    std::vector<int> got(1);
    WORKLOAD_CHECK(cudaMemcpy(got.data(), sum, sizeof(int), cudaMemcpyDeviceToHost));
    correct = expectEqual(version.name, {expected}, got) && correct;
  }
  timings.print();
  return report("reduction", correct);
}
