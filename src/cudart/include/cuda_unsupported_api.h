// Calls that compile and link but return cudaErrorNotSupported, so that programs that only use them on an optional path work.
#pragma once

#include "driver_types.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

// ---- mipmapped arrays

cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t* array, const struct cudaChannelFormatDesc* format, struct cudaExtent extent,
                                     unsigned int levels, unsigned int flags WARPWRIGHT_DEFAULT(0));
cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t* level, cudaMipmappedArray_const_t array, unsigned int index);
cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t array);

// ---- between processes

cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t* handle, cudaEvent_t event);
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t* event, cudaIpcEventHandle_t handle);
cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t* handle, void* pointer);
cudaError_t cudaIpcOpenMemHandle(void** pointer, cudaIpcMemHandle_t handle, unsigned int flags);
cudaError_t cudaIpcCloseMemHandle(void* pointer);

// ---- pools, ranges and stream attributes

cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const struct cudaMemPoolProps* properties);
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool);
cudaError_t cudaMemRangeGetAttribute(void* data, size_t size, enum cudaMemRangeAttribute attribute, const void* pointer, size_t count);
cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from);
cudaError_t cudaStreamGetAttribute(cudaStream_t stream, enum cudaLaunchAttributeID attribute, cudaLaunchAttributeValue* value);
cudaError_t cudaStreamSetAttribute(cudaStream_t stream, enum cudaLaunchAttributeID attribute, const cudaLaunchAttributeValue* value);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
