// Dyadic convolution of a long signal with a short filter: out[i] = sum over j of filter[j] signal[i xor j], through the fast
// Walsh-Hadamard transform. Two radix-2 levels make one radix-4 butterfly; a block of 512 threads does the last eleven levels in
// shared memory, the levels above go through global memory, one launch each.
#include "../common/workload.hpp"

using namespace workloads;

constexpr int kSharedLog2 = 11;
constexpr int kSharedElements = 1 << kSharedLog2;
constexpr int kThreads = kSharedElements / 4;
constexpr int kFilterLog2 = 7;

// The index that has a zero bit, or with `bits` = 2 two of them, where `stride` is one; `rest` fills the others.
__device__ int spread(int rest, int stride, int bits) {
  const int low = rest & (stride - 1);
  return ((rest - low) << bits) + low;
}

__device__ void butterfly4(float* values, int stride) {
  const float a = values[0], b = values[stride], c = values[2 * stride], d = values[3 * stride];
  const float sumEven = a + c, differenceEven = a - c, sumOdd = b + d, differenceOdd = b - d;
  values[0] = sumEven + sumOdd;
  values[stride] = sumEven - sumOdd;
  values[2 * stride] = differenceEven + differenceOdd;
  values[3 * stride] = differenceEven - differenceOdd;
}

// All levels within groups of 2048 elements.
__global__ void walshShared(float* data) {
  __shared__ float values[kSharedElements];
  float* group = data + size_t(blockIdx.x) * kSharedElements;
  for (int i = threadIdx.x; i < kSharedElements; i += kThreads) values[i] = group[i];

  int stride = kSharedElements / 4;
  for (; stride > 0; stride /= 4) {
    __syncthreads();
    butterfly4(values + spread(threadIdx.x, stride, 2), stride);
  }
  __syncthreads();  // eleven levels are five butterflies of four and one of two, whose stride is 1
  for (int i = 2 * threadIdx.x; i < kSharedElements; i += 2 * kThreads) {
    const float a = values[i], b = values[i + 1];
    values[i] = a + b;
    values[i + 1] = a - b;
  }
  __syncthreads();
  for (int i = threadIdx.x; i < kSharedElements; i += kThreads) group[i] = values[i];
}

// Two levels over the whole array: strides 2 `stride` and `stride`.
__global__ void walshGlobal(float* data, int stride) {
  butterfly4(data + spread(blockIdx.x * blockDim.x + threadIdx.x, stride, 2), stride);
}

// One level, for sizes whose number of levels above shared memory is odd.
__global__ void walshGlobalLevel(float* data, int stride) {
  const int i = spread(blockIdx.x * blockDim.x + threadIdx.x, stride, 1);
  const float a = data[i], b = data[i + stride];
  data[i] = a + b;
  data[i + stride] = a - b;
}

// Multiplies the spectra; `scale` makes the next transform the inverse.
__global__ void walshModulate(float* data, const float* filter, int n, float scale) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) data[i] *= filter[i] * scale;
}

void transform(float* data, int n) {
  int size = n;  // of the groups that are still to be transformed
  for (; size >= 4 * kSharedElements; size /= 4) walshGlobal<<<n / 4 / 256, 256>>>(data, size / 4);
  if (size == 2 * kSharedElements) walshGlobalLevel<<<n / 2 / 256, 256>>>(data, size / 2);
  walshShared<<<n / kSharedElements, kThreads>>>(data);
}

void referenceTransform(std::vector<float>& data) {
  const size_t n = data.size();
  for (size_t stride = n / 2; stride > 0; stride /= 2) {
    for (size_t group = 0; group < n; group += 2 * stride) {
      for (size_t i = group; i < group + stride; ++i) {
        const float a = data[i], b = data[i + stride];
        data[i] = a + b;
        data[i + stride] = a - b;
      }
    }
  }
}

// A sum of square waves, which are sparse in this basis, with noise.
std::vector<float> makeSignal(int log2Size, Random& random) {
  std::vector<float> signal = uniformFloats(random, size_t(1) << log2Size, -0.1f, 0.1f);
  for (int wave = 0; wave < 5; ++wave) {
    const int period = 1 + random.below(log2Size);
    const float amplitude = random.uniform(0.2f, 1.0f);
    for (size_t i = 0; i < signal.size(); ++i) signal[i] += (i >> period) & 1 ? amplitude : -amplitude;
  }
  return signal;
}

int main(int argc, char** argv) {
  const Options options = parseOptions(argc, argv,
                                       {"fast-walsh-transform",
                                        "dyadic convolution through Walsh transforms in shared and global memory",
                                        "2^16 elements",
                                        "2^20 elements",
                                        "2^23 elements",
                                        {}});
  const int log2Size = options.pick(16, 20, 23);
  const int n = 1 << log2Size;

  Random random(12);
  std::vector<float> signal = makeSignal(log2Size, random);
  std::vector<float> filter = uniformFloats(random, size_t(1) << kFilterLog2, 0.0f, 1.0f);
  filter.resize(n, 0.0f);

  Timings timings;
  const DeviceArray<float> deviceSignal(signal), deviceFilter(filter);
  timings.kernels([&] {
    transform(deviceSignal.data(), n);
    transform(deviceFilter.data(), n);
    walshModulate<<<128, 256>>>(deviceSignal.data(), deviceFilter.data(), n, 1.0f / n);
    transform(deviceSignal.data(), n);
  });
  timings.reference([&] {
    referenceTransform(signal);
    referenceTransform(filter);
    for (int i = 0; i < n; ++i) signal[i] *= filter[i] * (1.0f / n);
    referenceTransform(signal);
  });
  timings.print();

  // Both add the same pairs level by level and scale by a power of two, and no sum follows a product: equal to the last bit.
  bool correct = expectEqual("spectrum of the filter", filter, deviceFilter.download());
  correct = expectEqual("signal", signal, deviceSignal.download()) && correct;
  return report("fast-walsh-transform", correct);
}
