// Vectors: element by element, and reductions.
#include "kernels.hpp"
#include "launching.cuh"

namespace warpwright::cublas {
namespace {

constexpr int kThreads = 256;
constexpr int kMostBlocks = 256;

// ---- reductions: each thread takes elements in strides, blocks join theirs, and one block joins what the blocks have

template <typename T>
struct Indexed {
  T magnitude;
  int index;  // from 1; 0: none
};

// Of equal magnitudes the first; numbers win over NaN.
template <typename T, bool largest>
struct Extreme {
  using Partial = Indexed<T>;
  using Result = int;
  __device__ static Partial none() { return {T(0), 0}; }
  __device__ static Partial of(T x, int i) { return {x < T(0) ? -x : x, i + 1}; }
  __device__ static Partial join(const Partial& a, const Partial& b) {
    if (a.index == 0 || b.index == 0) return a.index == 0 ? b : a;
    if (a.magnitude == b.magnitude) return a.index < b.index ? a : b;
    const bool first = largest ? a.magnitude > b.magnitude : a.magnitude < b.magnitude;
    return first ? a : b;
  }
  __device__ static int result(const Partial& p) { return p.index; }
};

template <typename T>
struct SumOfMagnitudes {
  using Partial = T;
  using Result = T;
  __device__ static T none() { return T(0); }
  __device__ static T of(T x, int) { return x < T(0) ? -x : x; }
  __device__ static T join(T a, T b) { return a + b; }
  __device__ static T result(T p) { return p; }
};

// The largest magnitude, and the sum of squares of the elements divided by it: nothing overflows that is not too large itself.
template <typename T>
struct Norm {
  struct Partial {
    T scale, squares;
  };
  using Result = T;
  __device__ static Partial none() { return {T(0), T(0)}; }
  __device__ static Partial of(T x, int) { return {x < T(0) ? -x : x, x == T(0) ? T(0) : T(1)}; }
  __device__ static Partial join(const Partial& a, const Partial& b) {
    const bool swap = a.scale < b.scale;
    const Partial large = swap ? b : a, small = swap ? a : b;
    if (small.scale == T(0)) return large;
    const T ratio = small.scale / large.scale;
    return {large.scale, large.squares + ratio * ratio * small.squares};
  }
  __device__ static T result(const Partial& p) { return p.scale * sqrt(p.squares); }
};

template <typename T>
struct Elements {
  Vector<const T> x;
  template <typename Operation>
  __device__ typename Operation::Partial at(int i) const {
    return Operation::of(x.data[i * x.step], i);
  }
};

template <typename T>
struct Products {
  Vector<const T> x, y;
  template <typename Operation>
  __device__ T at(int i) const {
    return x.data[i * x.step] * y.data[i * y.step];
  }
};

template <typename T>
struct Partials {
  const T* values;
  template <typename Operation>
  __device__ T at(int i) const {
    return values[i];
  }
};

// The sum without magnitudes, for products.
template <typename T>
struct Sum : SumOfMagnitudes<T> {
  __device__ static T of(T x, int) { return x; }
};

// The partial of the block's elements, in thread 0.
template <typename Operation, typename Source>
__device__ typename Operation::Partial reduceInBlock(const Source& source, int n) {
  using Partial = typename Operation::Partial;
  alignas(16) __shared__ unsigned char bytes[kThreads * sizeof(Partial)];
  Partial* const partials = reinterpret_cast<Partial*>(bytes);
  Partial own = Operation::none();
  for (long long i = blockIdx.x * kThreads + threadIdx.x; i < n; i += gridDim.x * kThreads)
    own = Operation::join(own, source.template at<Operation>(static_cast<int>(i)));
  partials[threadIdx.x] = own;
  __syncthreads();
  for (int distance = kThreads / 2; distance > 0; distance /= 2) {
    if (threadIdx.x < distance) partials[threadIdx.x] = Operation::join(partials[threadIdx.x], partials[threadIdx.x + distance]);
    __syncthreads();
  }
  return partials[0];
}

template <typename Operation, typename Source>
__global__ void reduceInBlocks(Source source, int n, typename Operation::Partial* partials) {
  const auto partial = reduceInBlock<Operation>(source, n);
  if (threadIdx.x == 0) partials[blockIdx.x] = partial;
}

template <typename Operation>
__global__ void joinBlocks(Partials<typename Operation::Partial> partials, int n, typename Operation::Result* result) {
  const auto partial = reduceInBlock<Operation>(partials, n);
  if (threadIdx.x == 0) *result = Operation::result(partial);
}

template <typename Operation, typename Source>
cudaError_t reduceBy(const Source& source, int n, void* result, void* workspace, cudaStream_t stream) {
  using Partial = typename Operation::Partial;
  static_assert(kMostBlocks * sizeof(Partial) <= kWorkspaceBytes);
  auto* const partials = static_cast<Partial*>(workspace);
  const int blocks = blocksFor(n, kThreads, kMostBlocks);
  const cudaError_t status = launch(reduceInBlocks<Operation, Source>, dim3(blocks), dim3(kThreads), stream, source, n, partials);
  if (status != cudaSuccess) return status;
  return launch(joinBlocks<Operation>, dim3(1), dim3(kThreads), stream, Partials<Partial>{partials}, blocks,
                static_cast<typename Operation::Result*>(result));
}

// ---- element by element

template <typename T>
__global__ void axpyKernel(int n, Scalar<T> alpha, Vector<const T> x, Vector<T> y) {
  const T factor = valueOf(alpha);
  for (long long i = firstElement(); i < n; i += elementStride()) y.data[i * y.step] += factor * x.data[i * x.step];
}

template <typename T>
__global__ void scaleKernel(int n, Scalar<T> alpha, Vector<T> x) {
  const T factor = valueOf(alpha);
  for (long long i = firstElement(); i < n; i += elementStride()) x.data[i * x.step] *= factor;
}

template <typename T>
__global__ void copyKernel(int n, Vector<const T> x, Vector<T> y) {
  for (long long i = firstElement(); i < n; i += elementStride()) y.data[i * y.step] = x.data[i * x.step];
}

template <typename T>
__global__ void exchangeKernel(int n, Vector<T> x, Vector<T> y) {
  for (long long i = firstElement(); i < n; i += elementStride()) {
    const T value = x.data[i * x.step];
    x.data[i * x.step] = y.data[i * y.step];
    y.data[i * y.step] = value;
  }
}

dim3 gridFor(int n) { return dim3(blocksFor(n, kThreads, 65535)); }

}  // namespace

template <typename T>
cudaError_t reduce(Reduction reduction, int n, Vector<const T> x, void* result, void* workspace, cudaStream_t stream) {
  const Elements<T> elements{x};
  switch (reduction) {
    case Reduction::largest:
      return reduceBy<Extreme<T, true>>(elements, n, result, workspace, stream);
    case Reduction::smallest:
      return reduceBy<Extreme<T, false>>(elements, n, result, workspace, stream);
    case Reduction::sumOfMagnitudes:
      return reduceBy<SumOfMagnitudes<T>>(elements, n, result, workspace, stream);
    case Reduction::norm:
      return reduceBy<Norm<T>>(elements, n, result, workspace, stream);
  }
  return cudaErrorInvalidValue;
}

template <typename T>
cudaError_t dot(int n, Vector<const T> x, Vector<const T> y, T* result, void* workspace, cudaStream_t stream) {
  return reduceBy<Sum<T>>(Products<T>{x, y}, n, result, workspace, stream);
}

template <typename T>
cudaError_t axpy(int n, Scalar<T> alpha, Vector<const T> x, Vector<T> y, cudaStream_t stream) {
  return launch(axpyKernel<T>, gridFor(n), dim3(kThreads), stream, n, alpha, x, y);
}

template <typename T>
cudaError_t scale(int n, Scalar<T> alpha, Vector<T> x, cudaStream_t stream) {
  return launch(scaleKernel<T>, gridFor(n), dim3(kThreads), stream, n, alpha, x);
}

template <typename T>
cudaError_t copy(int n, Vector<const T> x, Vector<T> y, cudaStream_t stream) {
  return launch(copyKernel<T>, gridFor(n), dim3(kThreads), stream, n, x, y);
}

template <typename T>
cudaError_t exchange(int n, Vector<T> x, Vector<T> y, cudaStream_t stream) {
  return launch(exchangeKernel<T>, gridFor(n), dim3(kThreads), stream, n, x, y);
}

#define WW_INSTANTIATE(T)                                                                      \
  template cudaError_t reduce<T>(Reduction, int, Vector<const T>, void*, void*, cudaStream_t); \
  template cudaError_t dot<T>(int, Vector<const T>, Vector<const T>, T*, void*, cudaStream_t); \
  template cudaError_t axpy<T>(int, Scalar<T>, Vector<const T>, Vector<T>, cudaStream_t);      \
  template cudaError_t scale<T>(int, Scalar<T>, Vector<T>, cudaStream_t);                      \
  template cudaError_t copy<T>(int, Vector<const T>, Vector<T>, cudaStream_t);                 \
  template cudaError_t exchange<T>(int, Vector<T>, Vector<T>, cudaStream_t);
WW_INSTANTIATE(float)
WW_INSTANTIATE(double)

}  // namespace warpwright::cublas
