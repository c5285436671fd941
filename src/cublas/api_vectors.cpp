// Functions of vectors.
#include "handle.hpp"

using namespace warpwright::cublas;

namespace {

// Puts the result where the program wants it: launches with the place in device memory that it may go to. Result: what it is; `none`: of no
// elements. Reduce: cudaError_t(Result*).
template <typename Result, typename Reduce>
cublasStatus_t reduceTo(cublasHandle_t handle, bool argumentsValid, bool isEmpty, Result* result, Reduce&& reduce) {
  return call(handle, argumentsValid && result, [&] {
    const bool onHost = handle->pointerMode == CUBLAS_POINTER_MODE_HOST;
    if (isEmpty && onHost) {
      *result = Result(0);
      return cudaSuccess;
    }
    auto* const own = reinterpret_cast<Result*>(static_cast<char*>(handle->workspace) + kWorkspaceBytes);
    cudaError_t status = isEmpty ? cudaMemsetAsync(result, 0, sizeof(Result), handle->stream) : reduce(onHost ? own : result);
    if (status != cudaSuccess || !onHost) return status;
    status = cudaMemcpyAsync(result, own, sizeof(Result), cudaMemcpyDeviceToHost, handle->stream);
    return status == cudaSuccess ? cudaStreamSynchronize(handle->stream) : status;
  });
}

template <typename T, typename Result>
cublasStatus_t reduceOne(cublasHandle_t handle, Reduction reduction, int n, const T* x, int incx, Result* result) {
  const bool isEmpty = n <= 0 || incx <= 0;
  return reduceTo(handle, isEmpty || x, isEmpty, result,
                  [&](Result* to) { return reduce<T>(reduction, n, vectorOf(x, n, incx), to, handle->workspace, handle->stream); });
}

template <typename T>
cublasStatus_t dotOf(cublasHandle_t handle, int n, const T* x, int incx, const T* y, int incy, T* result) {
  return reduceTo(handle, n <= 0 || (x && y), n <= 0, result,
                  [&](T* to) { return dot<T>(n, vectorOf(x, n, incx), vectorOf(y, n, incy), to, handle->workspace, handle->stream); });
}

// Nothing is done to no elements. Body: cudaError_t().
template <typename Body>
cublasStatus_t forElements(cublasHandle_t handle, int n, bool argumentsValid, Body&& body) {
  return call(handle, n <= 0 || argumentsValid, [&] { return n <= 0 ? cudaSuccess : body(); });
}

template <typename T>
cublasStatus_t axpyOf(cublasHandle_t handle, int n, const T* alpha, const T* x, int incx, T* y, int incy) {
  return forElements(handle, n, alpha && x && y,
                     [&] { return axpy<T>(n, scalarOf(handle, alpha), vectorOf(x, n, incx), vectorOf(y, n, incy), handle->stream); });
}

template <typename T>
cublasStatus_t scaleOf(cublasHandle_t handle, int n, const T* alpha, T* x, int incx) {
  return forElements(handle, incx <= 0 ? 0 : n, alpha && x,
                     [&] { return scale<T>(n, scalarOf(handle, alpha), vectorOf(x, n, incx), handle->stream); });
}

template <typename T>
cublasStatus_t copyOf(cublasHandle_t handle, int n, const T* x, int incx, T* y, int incy) {
  return forElements(handle, n, x && y, [&] { return copy<T>(n, vectorOf(x, n, incx), vectorOf(y, n, incy), handle->stream); });
}

template <typename T>
cublasStatus_t exchangeOf(cublasHandle_t handle, int n, T* x, int incx, T* y, int incy) {
  return forElements(handle, n, x && y, [&] { return exchange<T>(n, vectorOf(x, n, incx), vectorOf(y, n, incy), handle->stream); });
}

}  // namespace

#define WW_VECTORS(L, i, T)                                                                                               \
  cublasStatus_t cublasI##i##amax_v2(cublasHandle_t handle, int n, const T* x, int incx, int* result) {                   \
    return reduceOne(handle, Reduction::largest, n, x, incx, result);                                                     \
  }                                                                                                                       \
  cublasStatus_t cublasI##i##amin_v2(cublasHandle_t handle, int n, const T* x, int incx, int* result) {                   \
    return reduceOne(handle, Reduction::smallest, n, x, incx, result);                                                    \
  }                                                                                                                       \
  cublasStatus_t cublas##L##asum_v2(cublasHandle_t handle, int n, const T* x, int incx, T* result) {                      \
    return reduceOne(handle, Reduction::sumOfMagnitudes, n, x, incx, result);                                             \
  }                                                                                                                       \
  cublasStatus_t cublas##L##nrm2_v2(cublasHandle_t handle, int n, const T* x, int incx, T* result) {                      \
    return reduceOne(handle, Reduction::norm, n, x, incx, result);                                                        \
  }                                                                                                                       \
  cublasStatus_t cublas##L##dot_v2(cublasHandle_t handle, int n, const T* x, int incx, const T* y, int incy, T* result) { \
    return dotOf(handle, n, x, incx, y, incy, result);                                                                    \
  }                                                                                                                       \
  cublasStatus_t cublas##L##axpy_v2(cublasHandle_t handle, int n, const T* alpha, const T* x, int incx, T* y, int incy) { \
    return axpyOf(handle, n, alpha, x, incx, y, incy);                                                                    \
  }                                                                                                                       \
  cublasStatus_t cublas##L##scal_v2(cublasHandle_t handle, int n, const T* alpha, T* x, int incx) {                       \
    return scaleOf(handle, n, alpha, x, incx);                                                                            \
  }                                                                                                                       \
  cublasStatus_t cublas##L##copy_v2(cublasHandle_t handle, int n, const T* x, int incx, T* y, int incy) {                 \
    return copyOf(handle, n, x, incx, y, incy);                                                                           \
  }                                                                                                                       \
  cublasStatus_t cublas##L##swap_v2(cublasHandle_t handle, int n, T* x, int incx, T* y, int incy) {                       \
    return exchangeOf(handle, n, x, incx, y, incy);                                                                       \
  }
WW_VECTORS(S, s, float)
WW_VECTORS(D, d, double)
