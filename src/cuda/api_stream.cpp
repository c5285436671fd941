// Streams and events: the runtime's under the driver's names.
#include "call.hpp"

using namespace warpwright::cuda;

CUresult cuStreamCreate(CUstream* stream, unsigned int flags) {
  return forward(Needs::context, [&] { return cudaStreamCreateWithFlags(stream, flags); });
}

CUresult cuStreamCreateWithPriority(CUstream* stream, unsigned int flags, int priority) {
  return forward(Needs::context, [&] { return cudaStreamCreateWithPriority(stream, flags, priority); });
}

CUresult cuStreamDestroy(CUstream stream) {
  return forward(Needs::handle, [&] { return cudaStreamDestroy(stream); });
}

CUresult cuStreamSynchronize(CUstream stream) {
  return forward(Needs::context, [&] { return cudaStreamSynchronize(stream); });
}

CUresult cuStreamQuery(CUstream stream) {
  return forward(Needs::context, [&] { return cudaStreamQuery(stream); });
}

CUresult cuStreamGetPriority(CUstream stream, int* priority) {
  return forward(Needs::context, [&] { return cudaStreamGetPriority(stream, priority); });
}

CUresult cuStreamGetFlags(CUstream stream, unsigned int* flags) {
  return forward(Needs::context, [&] { return cudaStreamGetFlags(stream, flags); });
}

CUresult cuStreamGetId(CUstream stream, unsigned long long* id) {
  return forward(Needs::context, [&] { return cudaStreamGetId(stream, id); });
}

CUresult cuStreamGetCtx(CUstream stream, CUcontext* context) {
  return call(Needs::context, [&](Driver& driver) {
    if (!context) return CUDA_ERROR_INVALID_VALUE;
    unsigned int flags = 0;
    *context = driver.current();
    return resultOf(cudaStreamGetFlags(stream, &flags));
  });
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags) {
  return forward(Needs::context, [&] { return cudaStreamWaitEvent(stream, event, flags); });
}

CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void* userData, unsigned int flags) {
  return call(Needs::context, [&](Driver& driver) {
    if (!callback || flags != 0) return CUDA_ERROR_INVALID_VALUE;
    return resultOf(driver.access.callInOrder([=] { callback(stream, CUDA_SUCCESS, userData); }, stream));
  });
}

CUresult cuEventCreate(CUevent* event, unsigned int flags) {
  return forward(Needs::context, [&] { return cudaEventCreateWithFlags(event, flags); });
}

CUresult cuEventDestroy(CUevent event) {
  return forward(Needs::handle, [&] { return cudaEventDestroy(event); });
}

CUresult cuEventRecord(CUevent event, CUstream stream) {
  return forward(Needs::context, [&] { return cudaEventRecord(event, stream); });
}

CUresult cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned int flags) {
  return forward(Needs::context, [&] { return cudaEventRecordWithFlags(event, stream, flags); });
}

CUresult cuEventQuery(CUevent event) {
  return forward(Needs::context, [&] { return cudaEventQuery(event); });
}

CUresult cuEventSynchronize(CUevent event) {
  return forward(Needs::context, [&] { return cudaEventSynchronize(event); });
}

CUresult cuEventElapsedTime(float* milliseconds, CUevent start, CUevent end) {
  return forward(Needs::context, [&] { return cudaEventElapsedTime(milliseconds, start, end); });
}

CUresult cuEventElapsedTime_v2(float* milliseconds, CUevent start, CUevent end) { return cuEventElapsedTime(milliseconds, start, end); }
