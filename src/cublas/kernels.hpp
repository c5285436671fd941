// The kernels of the library as host functions: each launches and returns what the launch does.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime_api.h>

namespace warpwright::cublas {

// Element i lies at data[i * step]; where BLAS counts from the end, the step is negative and `data` the last element in memory.
template <typename T>
struct Vector {
  T* data = nullptr;
  long long step = 1;
};

// Element (i, j) lies at data[i * rowStep + j * columnStep]: a transposed matrix has the steps of the other exchanged.
template <typename T>
struct Matrix {
  T* data = nullptr;
  long long rowStep = 1, columnStep = 0;
};

// A factor by value or, where `device` is not null, in device memory.
template <typename T>
struct Scalar {
  T value{};
  const T* device = nullptr;
};

// Where partial results of reductions are kept: at least kWorkspaceBytes of device memory.
inline constexpr size_t kWorkspaceBytes = 16 * 1024;

enum class Reduction { largest, smallest, sumOfMagnitudes, norm };

// The result lies in device memory: an int (an index from 1, 0 for no elements) or a T.
template <typename T>
cudaError_t reduce(Reduction reduction, int n, Vector<const T> x, void* result, void* workspace, cudaStream_t stream);
template <typename T>
cudaError_t dot(int n, Vector<const T> x, Vector<const T> y, T* result, void* workspace, cudaStream_t stream);

template <typename T>
cudaError_t axpy(int n, Scalar<T> alpha, Vector<const T> x, Vector<T> y, cudaStream_t stream);
template <typename T>
cudaError_t scale(int n, Scalar<T> alpha, Vector<T> x, cudaStream_t stream);
template <typename T>
cudaError_t copy(int n, Vector<const T> x, Vector<T> y, cudaStream_t stream);
template <typename T>
cudaError_t exchange(int n, Vector<T> x, Vector<T> y, cudaStream_t stream);

// y = alpha a x + beta y, where a has m rows and n columns. y is not read where beta is 0; the same holds below.
template <typename T>
cudaError_t multiply(int m, int n, Scalar<T> alpha, Matrix<const T> a, Vector<const T> x, Scalar<T> beta, Vector<T> y, cudaStream_t stream);
// a = alpha x yᵀ + a
template <typename T>
cudaError_t addOuterProduct(int m, int n, Scalar<T> alpha, Vector<const T> x, Vector<const T> y, Matrix<T> a, cudaStream_t stream);
// c = alpha a + beta b
template <typename T>
cudaError_t add(int m, int n, Scalar<T> alpha, Matrix<const T> a, Scalar<T> beta, Matrix<const T> b, Matrix<T> c, cudaStream_t stream);

// Where the matrices of a batch are: `batchStep` elements apart or, where `pointers` is not null, at pointers in device memory.
template <typename T>
struct Batched {
  Matrix<T> first;
  long long batchStep = 0;
  T* const* pointers = nullptr;
};

// c = alpha a b + beta c for each of a batch; sums are kept in the type of the factors. In: of a and b, Out: of c.
template <typename In, typename Out, typename Factor>
cudaError_t multiply(int m, int n, int k, int batch, Scalar<Factor> alpha, Batched<const In> a, Batched<const In> b, Scalar<Factor> beta,
                     Batched<Out> c, cudaStream_t stream);

}  // namespace warpwright::cublas
