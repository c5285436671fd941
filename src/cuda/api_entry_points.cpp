// cuGetProcAddress, and the first forms of functions whose later ones take the same arguments.
#include "call.hpp"
#include "entry_points.hpp"

using namespace warpwright::cuda;

CUresult cuGetProcAddress_v2(const char* symbol, void** function, int cudaVersion, cuuint64_t flags,
                             CUdriverProcAddressQueryResult* symbolStatus) {
  if (!symbol || !function) return CUDA_ERROR_INVALID_VALUE;
  if (flags > CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM) return CUDA_ERROR_INVALID_VALUE;
  const auto stream = flags == CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM ? DefaultStream::perThread : DefaultStream::legacy;
  bool tooNew = false;
  *function = findEntryPoint(symbol, cudaVersion, stream, tooNew).address;
  if (symbolStatus)
    *symbolStatus = *function ? CU_GET_PROC_ADDRESS_SUCCESS
                    : tooNew  ? CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT
                              : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  // With a status to look at, the call itself succeeds.
  return *function || symbolStatus ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

CUresult cuGetProcAddress_v2_ptsz(const char* symbol, void** function, int cudaVersion, cuuint64_t flags,
                                  CUdriverProcAddressQueryResult* symbolStatus) {
  if (flags == CU_GET_PROC_ADDRESS_DEFAULT) flags = CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;
  return cuGetProcAddress_v2(symbol, function, cudaVersion, flags, symbolStatus);
}

#undef cuGetProcAddress
#undef cuCtxDestroy
#undef cuCtxPopCurrent
#undef cuCtxPushCurrent
#undef cuDevicePrimaryCtxRelease
#undef cuDevicePrimaryCtxReset
#undef cuDevicePrimaryCtxSetFlags
#undef cuEventDestroy
#undef cuStreamDestroy
#undef cuMemHostRegister

#pragma GCC visibility push(default)
extern "C" {

CUresult cuGetProcAddress(const char* symbol, void** function, int cudaVersion, cuuint64_t flags) {
  return cuGetProcAddress_v2(symbol, function, cudaVersion, flags, nullptr);
}
CUresult cuCtxDestroy(CUcontext context) { return cuCtxDestroy_v2(context); }
CUresult cuCtxPopCurrent(CUcontext* context) { return cuCtxPopCurrent_v2(context); }
CUresult cuCtxPushCurrent(CUcontext context) { return cuCtxPushCurrent_v2(context); }
CUresult cuDevicePrimaryCtxRelease(CUdevice device) { return cuDevicePrimaryCtxRelease_v2(device); }
CUresult cuDevicePrimaryCtxReset(CUdevice device) { return cuDevicePrimaryCtxReset_v2(device); }
CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned int flags) { return cuDevicePrimaryCtxSetFlags_v2(device, flags); }
CUresult cuEventDestroy(CUevent event) { return cuEventDestroy_v2(event); }
CUresult cuStreamDestroy(CUstream stream) { return cuStreamDestroy_v2(stream); }
CUresult cuMemHostRegister(void* pointer, size_t size, unsigned int flags) { return cuMemHostRegister_v2(pointer, size, flags); }

}  // extern "C"
#pragma GCC visibility pop
