// Handles, settings, texts, and copies between host and device.
#include <mutex>
#include <unordered_set>

#include "handle.hpp"

using namespace warpwright::cublas;

namespace {

constexpr int kMajor = WARPWRIGHT_CUBLAS_MAJOR;

struct Handles {
  std::mutex mutex;
  std::unordered_set<cublasHandle_t> alive;
};

// Never destroyed: programs may destroy handles from destructors of static objects.
Handles& handles() {
  static Handles* const all = new Handles;
  return *all;
}

template <typename Value>
cublasStatus_t set(cublasHandle_t handle, Value cublasContext::*member, Value value) {
  return call(handle, true, [&] {
    handle->*member = value;
    return cudaSuccess;
  });
}

template <typename Value>
cublasStatus_t get(cublasHandle_t handle, Value cublasContext::*member, Value* value) {
  return call(handle, value, [&] {
    *value = handle->*member;
    return cudaSuccess;
  });
}

bool areCopied(int n, int elementBytes, int incx, int incy) { return n >= 0 && elementBytes > 0 && incx > 0 && incy > 0; }

// Elements of a vector are rows of a matrix with gaps.
cublasStatus_t copyVector(int n, int elementBytes, const void* x, int incx, void* y, int incy, cudaMemcpyKind kind, cudaStream_t stream) {
  if (!areCopied(n, elementBytes, incx, incy)) return CUBLAS_STATUS_INVALID_VALUE;
  if (n == 0) return CUBLAS_STATUS_SUCCESS;
  if (!x || !y) return CUBLAS_STATUS_INVALID_VALUE;
  const auto bytes = static_cast<size_t>(elementBytes), elements = static_cast<size_t>(n);
  const cudaError_t status = incx == 1 && incy == 1 ? cudaMemcpyAsync(y, x, bytes * elements, kind, stream)
                                                    : cudaMemcpy2DAsync(y, bytes * static_cast<size_t>(incy), x,
                                                                        bytes * static_cast<size_t>(incx), bytes, elements, kind, stream);
  return status == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}

cublasStatus_t copyMatrix(int rows, int columns, int elementBytes, const void* a, int lda, void* b, int ldb, cudaMemcpyKind kind,
                          cudaStream_t stream) {
  if (rows < 0 || columns < 0 || elementBytes <= 0 || lda < rows || ldb < rows || lda <= 0 || ldb <= 0) return CUBLAS_STATUS_INVALID_VALUE;
  if (rows == 0 || columns == 0) return CUBLAS_STATUS_SUCCESS;
  if (!a || !b) return CUBLAS_STATUS_INVALID_VALUE;
  const auto bytes = static_cast<size_t>(elementBytes);
  const cudaError_t status = cudaMemcpy2DAsync(b, bytes * static_cast<size_t>(ldb), a, bytes * static_cast<size_t>(lda),
                                               bytes * static_cast<size_t>(rows), static_cast<size_t>(columns), kind, stream);
  return status == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}

cublasStatus_t waitAfter(cublasStatus_t status) {
  if (status != CUBLAS_STATUS_SUCCESS) return status;
  return cudaStreamSynchronize(nullptr) == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}

}  // namespace

namespace warpwright::cublas {

bool isAlive(cublasHandle_t handle) {
  const std::lock_guard lock(handles().mutex);
  return handles().alive.contains(handle);
}

}  // namespace warpwright::cublas

cublasStatus_t cublasCreate(cublasHandle_t* handle) {
  if (!handle) return CUBLAS_STATUS_INVALID_VALUE;
  auto* const made = new cublasContext;
  // The result lies behind the partial ones.
  if (cudaMalloc(&made->workspace, kWorkspaceBytes + sizeof(double)) != cudaSuccess) {
    delete made;
    return CUBLAS_STATUS_ALLOC_FAILED;
  }
  const std::lock_guard lock(handles().mutex);
  handles().alive.insert(made);
  *handle = made;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasDestroy(cublasHandle_t handle) {
  {
    const std::lock_guard lock(handles().mutex);
    if (handles().alive.erase(handle) == 0) return CUBLAS_STATUS_NOT_INITIALIZED;
  }
  cudaFree(handle->workspace);
  delete handle;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetVersion(cublasHandle_t, int* version) {
  if (!version) return CUBLAS_STATUS_INVALID_VALUE;
  *version = kMajor * 10000;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetProperty(libraryPropertyType type, int* value) {
  if (!value || type < MAJOR_VERSION || type > PATCH_LEVEL) return CUBLAS_STATUS_INVALID_VALUE;
  *value = type == MAJOR_VERSION ? kMajor : 0;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream) { return set(handle, &cublasContext::stream, stream); }
cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t* stream) { return get(handle, &cublasContext::stream, stream); }

// The library has its own.
cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void*, size_t) {
  return call(handle, true, [] { return cudaSuccess; });
}

cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode) {
  if (mode != CUBLAS_POINTER_MODE_HOST && mode != CUBLAS_POINTER_MODE_DEVICE) return CUBLAS_STATUS_INVALID_VALUE;
  return set(handle, &cublasContext::pointerMode, mode);
}
cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t* mode) {
  return get(handle, &cublasContext::pointerMode, mode);
}
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode) {
  return set(handle, &cublasContext::atomicsMode, mode);
}
cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t* mode) {
  return get(handle, &cublasContext::atomicsMode, mode);
}
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode) { return set(handle, &cublasContext::mathMode, mode); }
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t* mode) { return get(handle, &cublasContext::mathMode, mode); }

cublasStatus_t cublasSetVectorAsync(int n, int elementBytes, const void* x, int incx, void* y, int incy, cudaStream_t stream) {
  return copyVector(n, elementBytes, x, incx, y, incy, cudaMemcpyHostToDevice, stream);
}
cublasStatus_t cublasGetVectorAsync(int n, int elementBytes, const void* x, int incx, void* y, int incy, cudaStream_t stream) {
  return copyVector(n, elementBytes, x, incx, y, incy, cudaMemcpyDeviceToHost, stream);
}
cublasStatus_t cublasSetMatrixAsync(int rows, int columns, int elementBytes, const void* a, int lda, void* b, int ldb,
                                    cudaStream_t stream) {
  return copyMatrix(rows, columns, elementBytes, a, lda, b, ldb, cudaMemcpyHostToDevice, stream);
}
cublasStatus_t cublasGetMatrixAsync(int rows, int columns, int elementBytes, const void* a, int lda, void* b, int ldb,
                                    cudaStream_t stream) {
  return copyMatrix(rows, columns, elementBytes, a, lda, b, ldb, cudaMemcpyDeviceToHost, stream);
}
cublasStatus_t cublasSetVector(int n, int elementBytes, const void* x, int incx, void* y, int incy) {
  return waitAfter(cublasSetVectorAsync(n, elementBytes, x, incx, y, incy, nullptr));
}
cublasStatus_t cublasGetVector(int n, int elementBytes, const void* x, int incx, void* y, int incy) {
  return waitAfter(cublasGetVectorAsync(n, elementBytes, x, incx, y, incy, nullptr));
}
cublasStatus_t cublasSetMatrix(int rows, int columns, int elementBytes, const void* a, int lda, void* b, int ldb) {
  return waitAfter(cublasSetMatrixAsync(rows, columns, elementBytes, a, lda, b, ldb, nullptr));
}
cublasStatus_t cublasGetMatrix(int rows, int columns, int elementBytes, const void* a, int lda, void* b, int ldb) {
  return waitAfter(cublasGetMatrixAsync(rows, columns, elementBytes, a, lda, b, ldb, nullptr));
}

const char* cublasGetStatusName(cublasStatus_t status) {
  switch (status) {
#define WW_NAME(name) \
  case name:          \
    return #name;
    WW_NAME(CUBLAS_STATUS_SUCCESS)
    WW_NAME(CUBLAS_STATUS_NOT_INITIALIZED)
    WW_NAME(CUBLAS_STATUS_ALLOC_FAILED)
    WW_NAME(CUBLAS_STATUS_INVALID_VALUE)
    WW_NAME(CUBLAS_STATUS_ARCH_MISMATCH)
    WW_NAME(CUBLAS_STATUS_MAPPING_ERROR)
    WW_NAME(CUBLAS_STATUS_EXECUTION_FAILED)
    WW_NAME(CUBLAS_STATUS_INTERNAL_ERROR)
    WW_NAME(CUBLAS_STATUS_NOT_SUPPORTED)
    WW_NAME(CUBLAS_STATUS_LICENSE_ERROR)
#undef WW_NAME
  }
  return "CUBLAS_STATUS_UNKNOWN";
}

const char* cublasGetStatusString(cublasStatus_t status) {
  switch (status) {
    case CUBLAS_STATUS_SUCCESS:
      return "success";
    case CUBLAS_STATUS_NOT_INITIALIZED:
      return "the handle was not created, or has been destroyed";
    case CUBLAS_STATUS_ALLOC_FAILED:
      return "no device memory is left for the library";
    case CUBLAS_STATUS_INVALID_VALUE:
      return "an argument is outside of what the function takes";
    case CUBLAS_STATUS_ARCH_MISMATCH:
      return "the device lacks what the function needs";
    case CUBLAS_STATUS_MAPPING_ERROR:
      return "memory cannot be copied";
    case CUBLAS_STATUS_EXECUTION_FAILED:
      return "a kernel cannot be launched, or has failed";
    case CUBLAS_STATUS_INTERNAL_ERROR:
      return "the library has failed";
    case CUBLAS_STATUS_NOT_SUPPORTED:
      return "the function, or this use of it, is not supported";
    case CUBLAS_STATUS_LICENSE_ERROR:
      return "there is no licence";
  }
  return "unknown status";
}
