// Scalar products of many pairs of vectors, one pair after the other per block. A block first folds the products into 1024
// partial sums in shared memory, so that the loads of neighbouring threads are neighbours, and then adds those up by a tree.
#include "../common/workload.hpp"

using namespace workloads;

constexpr int kBlocks = 128, kThreads = 256;
constexpr int kPartialSums = 1024, kPartialSumsLog2 = 10;

__global__ void scalarProduct(const float* a, const float* b, float* out, int vectors, int elements) {
  __shared__ float partial[kPartialSums];
  for (int vector = blockIdx.x; vector < vectors; vector += gridDim.x) {
    const int begin = vector * elements, end = begin + elements;
    for (int slot = threadIdx.x; slot < kPartialSums; slot += kThreads) {
      float sum = 0.0f;
      for (int i = begin + slot; i < end; i += kPartialSums) sum += a[i] * b[i];
      partial[slot] = sum;
    }
    for (int stride = kPartialSums / 2; stride > 0; stride /= 2) {
      __syncthreads();
      for (int slot = threadIdx.x; slot < stride; slot += kThreads) partial[slot] += partial[slot + stride];
    }
    __syncthreads();
    if (threadIdx.x == 0) out[vector] = partial[0];
    __syncthreads();  // the next vector overwrites the sums
  }
}

// In double precision: its own error does not count beside the kernel's.
void referenceScalarProducts(const std::vector<float>& a, const std::vector<float>& b, std::vector<float>& out, int elements) {
  for (size_t vector = 0; vector < out.size(); ++vector) {
    double sum = 0.0;
    for (size_t i = vector * elements; i < (vector + 1) * elements; ++i) sum += double(a[i]) * double(b[i]);
    out[vector] = float(sum);
  }
}

struct Problem {
  int vectors, elements;
};

int main(int argc, char** argv) {
  const Options options = parseOptions(argc, argv,
                                       {"scalar-product",
                                        "scalar products of pairs of vectors, one pair per block at a time",
                                        "131 pairs of 1,500 elements",
                                        "256 pairs of 4,096 elements",
                                        "2,048 pairs of 8,192 elements",
                                        {}});
  const Problem problem = options.pick(Problem{131, 1500}, Problem{256, 4096}, Problem{2048, 8192});
  const int vectors = problem.vectors, elements = problem.elements;

  Random random(15);
  const std::vector<float> a = uniformFloats(random, size_t(vectors) * elements, -1.0f, 1.0f);
  const std::vector<float> b = uniformFloats(random, a.size(), -1.0f, 1.0f);
  std::vector<float> expected(vectors);

  Timings timings;
  const DeviceArray<float> deviceA(a), deviceB(b), out(vectors);
  timings.kernels([&] { scalarProduct<<<kBlocks, kThreads>>>(deviceA.data(), deviceB.data(), out.data(), vectors, elements); });
  timings.reference([&] { referenceScalarProducts(a, b, expected, elements); });
  timings.print();

  // Every term passes through a product, elements / 1024 sums and the tree; each rounding is at most 2^-24 of the terms' sum, which
  // is below the number of elements.
  const int roundings = 1 + divideUp(elements, kPartialSums) + kPartialSumsLog2;
  return report("scalar-product", expectNear("product", expected, out.download(), 0x1p-24f, roundings * 0x1p-24f * elements));
}
