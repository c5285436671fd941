#include "call.hpp"

namespace warpwright::cuda {

CUresult resultOf(cudaError_t status) {
  switch (status) {
    case cudaErrorInvalidConfiguration:
    case cudaErrorInvalidPitchValue:
    case cudaErrorInvalidMemcpyDirection:
    case cudaErrorInvalidHostPointer:
    case cudaErrorInvalidDevicePointer:
      return CUDA_ERROR_INVALID_VALUE;
    case cudaErrorInvalidSymbol:
      return CUDA_ERROR_NOT_FOUND;
    case cudaErrorInvalidDeviceFunction:
      return CUDA_ERROR_INVALID_HANDLE;
    default:
      return static_cast<CUresult>(status);
  }
}

CUresult refusal(Driver& driver, Needs needs) {
  if (needs == Needs::nothing) return CUDA_SUCCESS;
  if (!driver.initialised && !driver.access.runtimeWasCalled()) return CUDA_ERROR_NOT_INITIALIZED;
  if (needs == Needs::cuInit) return CUDA_SUCCESS;
  const CUcontext current = driver.current();
  if (!current && needs == Needs::context) return CUDA_ERROR_INVALID_CONTEXT;
  if (current && !driver.isAlive(current)) return CUDA_ERROR_CONTEXT_IS_DESTROYED;
  return resultOf(driver.access.stickyError());
}

}  // namespace warpwright::cuda
