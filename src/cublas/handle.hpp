// A handle, and what functions of the API do with it before and after they launch.
#pragma once

#include "cublas_v2.h"
#include "kernels.hpp"

struct cublasContext {
  cudaStream_t stream = nullptr;
  cublasPointerMode_t pointerMode = CUBLAS_POINTER_MODE_HOST;
  cublasAtomicsMode_t atomicsMode = CUBLAS_ATOMICS_NOT_ALLOWED;
  cublasMath_t mathMode = CUBLAS_DEFAULT_MATH;
  // Partial results of reductions, and behind them the result where the program wants it in host memory.
  void* workspace = nullptr;
};

namespace warpwright::cublas {

bool isAlive(cublasHandle_t handle);

inline cublasStatus_t statusOf(cudaError_t error) {
  if (error == cudaSuccess) return CUBLAS_STATUS_SUCCESS;
  return error == cudaErrorMemoryAllocation ? CUBLAS_STATUS_ALLOC_FAILED : CUBLAS_STATUS_EXECUTION_FAILED;
}

// Whether the arguments are right is the caller's to say. Body: cudaError_t().
template <typename Body>
cublasStatus_t call(cublasHandle_t handle, bool argumentsValid, Body&& body) {
  if (!isAlive(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  return argumentsValid ? statusOf(body()) : CUBLAS_STATUS_INVALID_VALUE;
}

// A factor as the handle's pointer mode says.
template <typename T>
Scalar<T> scalarOf(cublasHandle_t handle, const T* factor) {
  return handle->pointerMode == CUBLAS_POINTER_MODE_HOST ? Scalar<T>{*factor, nullptr} : Scalar<T>{T{}, factor};
}

// As BLAS counts: with a negative increment from the end of memory.
template <typename T>
Vector<T> vectorOf(T* data, int n, int increment) {
  return {increment < 0 ? data + static_cast<long long>(1 - n) * increment : data, increment};
}

template <typename T>
Matrix<T> columnMajor(T* data, int leading, cublasOperation_t operation = CUBLAS_OP_N) {
  if (operation == CUBLAS_OP_N) return {data, 1, leading};
  return {data, leading, 1};
}

inline bool isOperation(cublasOperation_t operation) { return operation >= CUBLAS_OP_N && operation <= CUBLAS_OP_C; }

// Whether columns of so many rows fit between the starts of columns.
inline bool holds(int leading, int rows) { return leading >= (rows > 1 ? rows : 1); }

}  // namespace warpwright::cublas
