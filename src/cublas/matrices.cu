// Matrices: products with vectors and with one another, and sums.
#include "kernels.hpp"
#include "launching.cuh"

namespace warpwright::cublas {
namespace {

// ---- a product of matrices: a block computes a square of c, a thread 4 by 4 elements of it, from tiles of a and b in shared memory

constexpr int kTile = 64, kDepth = 16, kOwn = 4, kThreads = (kTile / kOwn) * (kTile / kOwn);

template <typename T>
__device__ T* matrixOf(const Batched<T>& batched, int number) {
  return batched.pointers ? batched.pointers[number] : batched.first.data + number * batched.batchStep;
}

template <typename T>
__device__ T zero() {
  return T(0.0f);
}

template <typename Factor, typename T>
__device__ Factor widened(T value) {
  return static_cast<Factor>(value);
}
template <>
__device__ __half widened<__half, __half>(__half value) {
  return value;
}
template <>
__device__ float widened<float, __half>(__half value) {
  return __half2float(value);
}
template <>
__device__ float widened<float, __nv_bfloat16>(__nv_bfloat16 value) {
  return __bfloat162float(value);
}

// Beyond the matrix there are zeros.
template <typename Factor, typename In>
__device__ void loadTile(Factor (*tile)[kTile], const In* data, const Matrix<const In>& steps, int row, int column, int rows, int columns,
                         bool rowsAreDepth) {
  for (int i = threadIdx.x; i < kTile * kDepth; i += kThreads) {
    const int across = i % kTile, deep = i / kTile;
    const int r = row + (rowsAreDepth ? deep : across), c = column + (rowsAreDepth ? across : deep);
    tile[deep][across] = r < rows && c < columns ? widened<Factor>(data[r * steps.rowStep + c * steps.columnStep]) : zero<Factor>();
  }
}

template <typename In, typename Out, typename Factor>
__global__ void __launch_bounds__(kThreads) multiplyMatrices(int m, int n, int k, Scalar<Factor> alpha, Batched<const In> a,
                                                             Batched<const In> b, Scalar<Factor> beta, Batched<Out> c) {
  __shared__ Factor left[kDepth][kTile], right[kDepth][kTile];
  const In* const aData = matrixOf(a, blockIdx.z);
  const In* const bData = matrixOf(b, blockIdx.z);
  const int firstRow = blockIdx.x * kTile, firstColumn = blockIdx.y * kTile;
  const int ownRow = threadIdx.x % (kTile / kOwn) * kOwn, ownColumn = threadIdx.x / (kTile / kOwn) * kOwn;
  Factor sums[kOwn][kOwn];
  for (int i = 0; i < kOwn; ++i)
    for (int j = 0; j < kOwn; ++j) sums[i][j] = zero<Factor>();
  for (int depth = 0; depth < k; depth += kDepth) {
    loadTile<Factor>(left, aData, a.first, firstRow, depth, m, k, false);
    loadTile<Factor>(right, bData, b.first, depth, firstColumn, k, n, true);
    __syncthreads();
    for (int d = 0; d < kDepth; ++d)
      for (int i = 0; i < kOwn; ++i)
        for (int j = 0; j < kOwn; ++j) sums[i][j] = sums[i][j] + left[d][ownRow + i] * right[d][ownColumn + j];
    __syncthreads();
  }
  Out* const cData = matrixOf(c, blockIdx.z);
  const Factor factor = valueOf(alpha), old = valueOf(beta);
  for (int j = 0; j < kOwn; ++j) {
    for (int i = 0; i < kOwn; ++i) {
      const int row = firstRow + ownRow + i, column = firstColumn + ownColumn + j;
      if (row >= m || column >= n) continue;
      Out& element = cData[row * c.first.rowStep + column * c.first.columnStep];
      Factor result = factor * sums[i][j];
      if (old != zero<Factor>()) result = result + old * widened<Factor>(element);
      element = Out(result);
    }
  }
}

// ---- a product with a vector: a thread takes an element of y where columns lie together, a group of threads does where rows do

constexpr int kVectorThreads = 128, kGroup = 32;

template <typename T>
__device__ void store(Vector<T> y, int i, T sum, const Scalar<T>& alpha, const Scalar<T>& beta) {
  T& element = y.data[i * y.step];
  const T old = valueOf(beta);
  element = valueOf(alpha) * sum + (old == T(0) ? T(0) : old * element);
}

template <typename T>
__global__ void multiplyByThreads(int m, int n, Scalar<T> alpha, Matrix<const T> a, Vector<const T> x, Scalar<T> beta, Vector<T> y) {
  const long long row = firstElement();
  if (row >= m) return;
  T sum = T(0);
  for (int j = 0; j < n; ++j) sum += a.data[row * a.rowStep + j * a.columnStep] * x.data[j * x.step];
  store(y, static_cast<int>(row), sum, alpha, beta);
}

// Neighbours of a group read neighbours of the row.
template <typename T>
__global__ void multiplyByGroups(int m, int n, Scalar<T> alpha, Matrix<const T> a, Vector<const T> x, Scalar<T> beta, Vector<T> y) {
  __shared__ T sums[kVectorThreads];
  const int member = threadIdx.x % kGroup;
  const long long row = firstElement() / kGroup;
  T sum = T(0);
  if (row < m)
    for (int j = member; j < n; j += kGroup) sum += a.data[row * a.rowStep + j * a.columnStep] * x.data[j * x.step];
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (int distance = kGroup / 2; distance > 0; distance /= 2) {
    if (member < distance) sums[threadIdx.x] += sums[threadIdx.x + distance];
    __syncthreads();
  }
  if (member == 0 && row < m) store(y, static_cast<int>(row), sums[threadIdx.x], alpha, beta);
}

// ---- element by element: x counts rows

constexpr int kSide = 16;

template <typename T>
__global__ void addOuterProductKernel(int m, int n, Scalar<T> alpha, Vector<const T> x, Vector<const T> y, Matrix<T> a) {
  const long long i = static_cast<long long>(blockIdx.x) * kSide + threadIdx.x,
                  j = static_cast<long long>(blockIdx.y) * kSide + threadIdx.y;
  if (i < m && j < n) a.data[i * a.rowStep + j * a.columnStep] += valueOf(alpha) * x.data[i * x.step] * y.data[j * y.step];
}

template <typename T>
__global__ void addKernel(int m, int n, Scalar<T> alpha, Matrix<const T> a, Scalar<T> beta, Matrix<const T> b, Matrix<T> c) {
  const long long i = static_cast<long long>(blockIdx.x) * kSide + threadIdx.x,
                  j = static_cast<long long>(blockIdx.y) * kSide + threadIdx.y;
  if (i >= m || j >= n) return;
  const T first = valueOf(alpha), second = valueOf(beta);
  T sum = T(0);
  if (first != T(0)) sum += first * a.data[i * a.rowStep + j * a.columnStep];
  if (second != T(0)) sum += second * b.data[i * b.rowStep + j * b.columnStep];
  c.data[i * c.rowStep + j * c.columnStep] = sum;
}

dim3 gridFor(int m, int n, int side) { return dim3((m + side - 1) / side, (n + side - 1) / side); }

}  // namespace

template <typename In, typename Out, typename Factor>
cudaError_t multiply(int m, int n, int k, int batch, Scalar<Factor> alpha, Batched<const In> a, Batched<const In> b, Scalar<Factor> beta,
                     Batched<Out> c, cudaStream_t stream) {
  dim3 grid = gridFor(m, n, kTile);
  grid.z = batch;
  return launch(multiplyMatrices<In, Out, Factor>, grid, dim3(kThreads), stream, m, n, k, alpha, a, b, beta, c);
}

template <typename T>
cudaError_t multiply(int m, int n, Scalar<T> alpha, Matrix<const T> a, Vector<const T> x, Scalar<T> beta, Vector<T> y,
                     cudaStream_t stream) {
  const bool columnsLieTogether = a.rowStep == 1;
  if (columnsLieTogether)
    return launch(multiplyByThreads<T>, dim3(blocksFor(m, kVectorThreads, 0x7fffffff)), dim3(kVectorThreads), stream, m, n, alpha, a, x,
                  beta, y);
  return launch(multiplyByGroups<T>, dim3(blocksFor(m, kVectorThreads / kGroup, 0x7fffffff)), dim3(kVectorThreads), stream, m, n, alpha, a,
                x, beta, y);
}

template <typename T>
cudaError_t addOuterProduct(int m, int n, Scalar<T> alpha, Vector<const T> x, Vector<const T> y, Matrix<T> a, cudaStream_t stream) {
  return launch(addOuterProductKernel<T>, gridFor(m, n, kSide), dim3(kSide, kSide), stream, m, n, alpha, x, y, a);
}

template <typename T>
cudaError_t add(int m, int n, Scalar<T> alpha, Matrix<const T> a, Scalar<T> beta, Matrix<const T> b, Matrix<T> c, cudaStream_t stream) {
  return launch(addKernel<T>, gridFor(m, n, kSide), dim3(kSide, kSide), stream, m, n, alpha, a, beta, b, c);
}

#define WW_INSTANTIATE_PRODUCT(In, Out, Factor)                                                                                            \
  template cudaError_t multiply<In, Out, Factor>(int, int, int, int, Scalar<Factor>, Batched<const In>, Batched<const In>, Scalar<Factor>, \
                                                 Batched<Out>, cudaStream_t);
WW_INSTANTIATE_PRODUCT(float, float, float)
WW_INSTANTIATE_PRODUCT(double, double, double)
WW_INSTANTIATE_PRODUCT(__half, __half, __half)
WW_INSTANTIATE_PRODUCT(__half, __half, float)
WW_INSTANTIATE_PRODUCT(__half, float, float)
WW_INSTANTIATE_PRODUCT(__nv_bfloat16, __nv_bfloat16, float)
WW_INSTANTIATE_PRODUCT(__nv_bfloat16, float, float)

#define WW_INSTANTIATE(T)                                                                                                      \
  template cudaError_t multiply<T>(int, int, Scalar<T>, Matrix<const T>, Vector<const T>, Scalar<T>, Vector<T>, cudaStream_t); \
  template cudaError_t addOuterProduct<T>(int, int, Scalar<T>, Vector<const T>, Vector<const T>, Matrix<T>, cudaStream_t);     \
  template cudaError_t add<T>(int, int, Scalar<T>, Matrix<const T>, Scalar<T>, Matrix<const T>, Matrix<T>, cudaStream_t);
WW_INSTANTIATE(float)
WW_INSTANTIATE(double)

}  // namespace warpwright::cublas
