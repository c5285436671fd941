// The CUDA driver API of Warpwright: the functions that libcuda.so.1 carries out. What each does and does not do is listed in
// docs/driver-functions.md. Names, values and layouts are those of the public API, so that programs written for it compile unchanged.
#pragma once
#define __cuda_cuda_h__

#include <stddef.h>
#include <stdint.h>

#include "cuda_device_attribute_list.h"
#include "cuda_driver_types.h"

#ifndef CUDA_VERSION
#define CUDA_VERSION 11050
#endif
#ifndef CUDAAPI
#define CUDAAPI
#endif
#ifndef CUDA_CB
#define CUDA_CB
#endif

// Names whose form changed once: programs write the plain name.
#define cuDeviceTotalMem cuDeviceTotalMem_v2
#define cuCtxCreate cuCtxCreate_v2
#define cuCtxDestroy cuCtxDestroy_v2
#define cuCtxPopCurrent cuCtxPopCurrent_v2
#define cuCtxPushCurrent cuCtxPushCurrent_v2
#define cuDevicePrimaryCtxRelease cuDevicePrimaryCtxRelease_v2
#define cuDevicePrimaryCtxReset cuDevicePrimaryCtxReset_v2
#define cuDevicePrimaryCtxSetFlags cuDevicePrimaryCtxSetFlags_v2
#define cuModuleGetGlobal cuModuleGetGlobal_v2
#define cuLinkCreate cuLinkCreate_v2
#define cuLinkAddData cuLinkAddData_v2
#define cuLinkAddFile cuLinkAddFile_v2
#define cuMemGetInfo cuMemGetInfo_v2
#define cuMemAlloc cuMemAlloc_v2
#define cuMemAllocPitch cuMemAllocPitch_v2
#define cuMemFree cuMemFree_v2
#define cuMemGetAddressRange cuMemGetAddressRange_v2
#define cuMemAllocHost cuMemAllocHost_v2
#define cuMemHostGetDevicePointer cuMemHostGetDevicePointer_v2
#define cuMemHostRegister cuMemHostRegister_v2
#define cuMemcpyHtoD cuMemcpyHtoD_v2
#define cuMemcpyDtoH cuMemcpyDtoH_v2
#define cuMemcpyDtoD cuMemcpyDtoD_v2
#define cuMemcpyHtoDAsync cuMemcpyHtoDAsync_v2
#define cuMemcpyDtoHAsync cuMemcpyDtoHAsync_v2
#define cuMemcpyDtoDAsync cuMemcpyDtoDAsync_v2
#define cuMemcpy2D cuMemcpy2D_v2
#define cuMemcpy2DUnaligned cuMemcpy2DUnaligned_v2
#define cuMemcpy2DAsync cuMemcpy2DAsync_v2
#define cuMemcpy3D cuMemcpy3D_v2
#define cuMemcpy3DAsync cuMemcpy3DAsync_v2
#define cuMemsetD8 cuMemsetD8_v2
#define cuMemsetD16 cuMemsetD16_v2
#define cuMemsetD32 cuMemsetD32_v2
#define cuMemsetD2D8 cuMemsetD2D8_v2
#define cuMemsetD2D16 cuMemsetD2D16_v2
#define cuMemsetD2D32 cuMemsetD2D32_v2
#define cuStreamDestroy cuStreamDestroy_v2
#define cuEventDestroy cuEventDestroy_v2
#define cuGetProcAddress cuGetProcAddress_v2
#define cuStreamBeginCapture cuStreamBeginCapture_v2
#define cuGraphAddKernelNode cuGraphAddKernelNode_v2
#define cuGraphKernelNodeGetParams cuGraphKernelNodeGetParams_v2
#define cuGraphKernelNodeSetParams cuGraphKernelNodeSetParams_v2
#define cuGraphExecKernelNodeSetParams cuGraphExecKernelNodeSetParams_v2

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

// ---- start, version, errors

CUresult cuInit(unsigned int flags);
CUresult cuDriverGetVersion(int* version);
CUresult cuGetErrorString(CUresult error, const char** text);
CUresult cuGetErrorName(CUresult error, const char** name);
CUresult cuGetProcAddress_v2(const char* symbol, void** function, int cudaVersion, cuuint64_t flags,
                             CUdriverProcAddressQueryResult* symbolStatus);
CUresult cuGetProcAddress_v2_ptsz(const char* symbol, void** function, int cudaVersion, cuuint64_t flags,
                                  CUdriverProcAddressQueryResult* symbolStatus);

// ---- devices

CUresult cuDeviceGet(CUdevice* device, int ordinal);
CUresult cuDeviceGetCount(int* count);
CUresult cuDeviceGetName(char* name, int length, CUdevice device);
CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice device);
CUresult cuDeviceGetUuid_v2(CUuuid* uuid, CUdevice device);
CUresult cuDeviceTotalMem(size_t* bytes, CUdevice device);
CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device);
CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice device);
CUresult cuDeviceGetProperties(CUdevprop* properties, CUdevice device);
CUresult cuDeviceGetPCIBusId(char* busId, int length, CUdevice device);
CUresult cuDeviceGetByPCIBusId(CUdevice* device, const char* busId);
CUresult cuDeviceCanAccessPeer(int* can, CUdevice device, CUdevice peer);
CUresult cuDeviceGetP2PAttribute(int* value, CUdevice_P2PAttribute attribute, CUdevice source, CUdevice destination);

// ---- primary context

CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device);
CUresult cuDevicePrimaryCtxRelease(CUdevice device);
CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned int flags);
CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned int* flags, int* active);
CUresult cuDevicePrimaryCtxReset(CUdevice device);

// ---- contexts

CUresult cuCtxCreate(CUcontext* context, unsigned int flags, CUdevice device);
CUresult cuCtxCreate_v4(CUcontext* context, CUctxCreateParams* parameters, unsigned int flags, CUdevice device);
CUresult cuCtxDestroy(CUcontext context);
CUresult cuCtxPushCurrent(CUcontext context);
CUresult cuCtxPopCurrent(CUcontext* context);
CUresult cuCtxSetCurrent(CUcontext context);
CUresult cuCtxGetCurrent(CUcontext* context);
CUresult cuCtxGetDevice(CUdevice* device);
CUresult cuCtxGetDevice_v2(CUdevice* device, CUcontext context);
CUresult cuCtxGetFlags(unsigned int* flags);
CUresult cuCtxGetId(CUcontext context, unsigned long long* id);
CUresult cuCtxSynchronize(void);
CUresult cuCtxSynchronize_v2(CUcontext context);
CUresult cuCtxSetLimit(CUlimit limit, size_t value);
CUresult cuCtxGetLimit(size_t* value, CUlimit limit);
CUresult cuCtxGetCacheConfig(CUfunc_cache* config);
CUresult cuCtxSetCacheConfig(CUfunc_cache config);
CUresult cuCtxGetApiVersion(CUcontext context, unsigned int* version);
CUresult cuCtxGetStreamPriorityRange(int* least, int* greatest);
CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned int flags);
CUresult cuCtxDisablePeerAccess(CUcontext peer);

// ---- modules

CUresult cuModuleLoad(CUmodule* module, const char* file);
CUresult cuModuleLoadData(CUmodule* module, const void* image);
CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned int count, CUjit_option* options, void** values);
CUresult cuModuleLoadFatBinary(CUmodule* module, const void* fatBinary);
CUresult cuModuleUnload(CUmodule module);
CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode* mode);
CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name);
CUresult cuModuleGetFunctionCount(unsigned int* count, CUmodule module);
CUresult cuModuleEnumerateFunctions(CUfunction* functions, unsigned int count, CUmodule module);
CUresult cuModuleGetGlobal(CUdeviceptr* address, size_t* bytes, CUmodule module, const char* name);

// ---- linker

CUresult cuLinkCreate(unsigned int count, CUjit_option* options, void** values, CUlinkState* state);
CUresult cuLinkAddData(CUlinkState state, CUjitInputType type, void* data, size_t size, const char* name, unsigned int count,
                       CUjit_option* options, void** values);
CUresult cuLinkAddFile(CUlinkState state, CUjitInputType type, const char* path, unsigned int count, CUjit_option* options, void** values);
CUresult cuLinkComplete(CUlinkState state, void** cubin, size_t* size);
CUresult cuLinkDestroy(CUlinkState state);

// ---- libraries

CUresult cuLibraryLoadData(CUlibrary* library, const void* code, CUjit_option* jitOptions, void** jitValues, unsigned int jitCount,
                           CUlibraryOption* libraryOptions, void** libraryValues, unsigned int libraryCount);
CUresult cuLibraryLoadFromFile(CUlibrary* library, const char* file, CUjit_option* jitOptions, void** jitValues, unsigned int jitCount,
                               CUlibraryOption* libraryOptions, void** libraryValues, unsigned int libraryCount);
CUresult cuLibraryUnload(CUlibrary library);
CUresult cuLibraryGetKernel(CUkernel* kernel, CUlibrary library, const char* name);
CUresult cuLibraryGetKernelCount(unsigned int* count, CUlibrary library);
CUresult cuLibraryEnumerateKernels(CUkernel* kernels, unsigned int count, CUlibrary library);
CUresult cuLibraryGetModule(CUmodule* module, CUlibrary library);
CUresult cuLibraryGetGlobal(CUdeviceptr* address, size_t* bytes, CUlibrary library, const char* name);
CUresult cuLibraryGetManaged(CUdeviceptr* address, size_t* bytes, CUlibrary library, const char* name);
CUresult cuKernelGetFunction(CUfunction* function, CUkernel kernel);
CUresult cuKernelGetLibrary(CUlibrary* library, CUkernel kernel);
CUresult cuKernelGetName(const char** name, CUkernel kernel);
CUresult cuKernelGetAttribute(int* value, CUfunction_attribute attribute, CUkernel kernel, CUdevice device);
CUresult cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel kernel, CUdevice device);
CUresult cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache config, CUdevice device);
CUresult cuKernelGetParamInfo(CUkernel kernel, size_t index, size_t* offset, size_t* size);

// ---- functions and launches

CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction function);
CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value);
CUresult cuFuncSetCacheConfig(CUfunction function, CUfunc_cache config);
CUresult cuFuncGetModule(CUmodule* module, CUfunction function);
CUresult cuFuncGetName(const char** name, CUfunction function);
CUresult cuFuncGetParamInfo(CUfunction function, size_t index, size_t* offset, size_t* size);
CUresult cuFuncIsLoaded(CUfunctionLoadingState* state, CUfunction function);
CUresult cuFuncLoad(CUfunction function);
CUresult cuLaunchKernel(CUfunction function, unsigned int gridX, unsigned int gridY, unsigned int gridZ, unsigned int blockX,
                        unsigned int blockY, unsigned int blockZ, unsigned int sharedBytes, CUstream stream, void** parameters,
                        void** extra);
CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction function, void** parameters, void** extra);
CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned int gridX, unsigned int gridY, unsigned int gridZ, unsigned int blockX,
                                   unsigned int blockY, unsigned int blockZ, unsigned int sharedBytes, CUstream stream, void** parameters);
CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void* userData);

// ---- occupancy

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction function, int blockSize, size_t dynamicSharedBytes);
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, CUfunction function, int blockSize, size_t dynamicSharedBytes,
                                                              unsigned int flags);
CUresult cuOccupancyMaxPotentialBlockSize(int* minGridSize, int* blockSize, CUfunction function, CUoccupancyB2DSize dynamicSharedOf,
                                          size_t dynamicSharedBytes, int blockSizeLimit);
CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int* minGridSize, int* blockSize, CUfunction function,
                                                   CUoccupancyB2DSize dynamicSharedOf, size_t dynamicSharedBytes, int blockSizeLimit,
                                                   unsigned int flags);
CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, CUfunction function, int blocks, int blockSize);
CUresult cuOccupancyMaxActiveClusters(int* clusters, CUfunction function, const CUlaunchConfig* config);
CUresult cuOccupancyMaxPotentialClusterSize(int* size, CUfunction function, const CUlaunchConfig* config);

// ---- memory

CUresult cuMemGetInfo(size_t* free, size_t* total);
CUresult cuMemAlloc(CUdeviceptr* pointer, size_t size);
CUresult cuMemAllocPitch(CUdeviceptr* pointer, size_t* pitch, size_t width, size_t height, unsigned int elementBytes);
CUresult cuMemAllocManaged(CUdeviceptr* pointer, size_t size, unsigned int flags);
CUresult cuMemAllocHost(void** pointer, size_t size);
CUresult cuMemHostAlloc(void** pointer, size_t size, unsigned int flags);
CUresult cuMemFree(CUdeviceptr pointer);
CUresult cuMemFreeHost(void* pointer);
CUresult cuMemHostRegister(void* pointer, size_t size, unsigned int flags);
CUresult cuMemHostUnregister(void* pointer);
CUresult cuMemHostGetDevicePointer(CUdeviceptr* device, void* host, unsigned int flags);
CUresult cuMemHostGetFlags(unsigned int* flags, void* pointer);
CUresult cuMemGetAddressRange(CUdeviceptr* base, size_t* size, CUdeviceptr pointer);
CUresult cuMemAllocAsync(CUdeviceptr* pointer, size_t size, CUstream stream);
CUresult cuMemFreeAsync(CUdeviceptr pointer, CUstream stream);
CUresult cuPointerGetAttribute(void* value, CUpointer_attribute attribute, CUdeviceptr pointer);
CUresult cuPointerGetAttributes(unsigned int count, CUpointer_attribute* attributes, void** values, CUdeviceptr pointer);

// ---- tensor maps

CUresult cuTensorMapEncodeTiled(CUtensorMap* tensorMap, CUtensorMapDataType tensorDataType, cuuint32_t tensorRank, void* globalAddress,
                                const cuuint64_t* globalDim, const cuuint64_t* globalStrides, const cuuint32_t* boxDim,
                                const cuuint32_t* elementStrides, CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                CUtensorMapL2promotion l2Promotion, CUtensorMapFloatOOBfill oobFill);
CUresult cuTensorMapReplaceAddress(CUtensorMap* tensorMap, void* globalAddress);

// ---- copies

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t count);
CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t count, CUstream stream);
CUresult cuMemcpyHtoD(CUdeviceptr to, const void* from, size_t count);
CUresult cuMemcpyDtoH(void* to, CUdeviceptr from, size_t count);
CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t count);
CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void* from, size_t count, CUstream stream);
CUresult cuMemcpyDtoHAsync(void* to, CUdeviceptr from, size_t count, CUstream stream);
CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t count, CUstream stream);
CUresult cuMemcpyPeer(CUdeviceptr to, CUcontext toContext, CUdeviceptr from, CUcontext fromContext, size_t count);
CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext toContext, CUdeviceptr from, CUcontext fromContext, size_t count, CUstream stream);
CUresult cuMemcpy2D(const CUDA_MEMCPY2D* copy);
CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D* copy);
CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D* copy, CUstream stream);
CUresult cuMemcpy3D(const CUDA_MEMCPY3D* copy);
CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D* copy, CUstream stream);
CUresult cuMemsetD8(CUdeviceptr to, unsigned char value, size_t count);
CUresult cuMemsetD16(CUdeviceptr to, unsigned short value, size_t count);
CUresult cuMemsetD32(CUdeviceptr to, unsigned int value, size_t count);
CUresult cuMemsetD2D8(CUdeviceptr to, size_t pitch, unsigned char value, size_t width, size_t height);
CUresult cuMemsetD2D16(CUdeviceptr to, size_t pitch, unsigned short value, size_t width, size_t height);
CUresult cuMemsetD2D32(CUdeviceptr to, size_t pitch, unsigned int value, size_t width, size_t height);
CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t count, CUstream stream);
CUresult cuMemsetD16Async(CUdeviceptr to, unsigned short value, size_t count, CUstream stream);
CUresult cuMemsetD32Async(CUdeviceptr to, unsigned int value, size_t count, CUstream stream);
CUresult cuMemsetD2D8Async(CUdeviceptr to, size_t pitch, unsigned char value, size_t width, size_t height, CUstream stream);
CUresult cuMemsetD2D16Async(CUdeviceptr to, size_t pitch, unsigned short value, size_t width, size_t height, CUstream stream);
CUresult cuMemsetD2D32Async(CUdeviceptr to, size_t pitch, unsigned int value, size_t width, size_t height, CUstream stream);

// ---- streams and events

CUresult cuStreamCreate(CUstream* stream, unsigned int flags);
CUresult cuStreamCreateWithPriority(CUstream* stream, unsigned int flags, int priority);
CUresult cuStreamDestroy(CUstream stream);
CUresult cuStreamSynchronize(CUstream stream);
CUresult cuStreamQuery(CUstream stream);
CUresult cuStreamGetPriority(CUstream stream, int* priority);
CUresult cuStreamGetFlags(CUstream stream, unsigned int* flags);
CUresult cuStreamGetId(CUstream stream, unsigned long long* id);
CUresult cuStreamGetCtx(CUstream stream, CUcontext* context);
CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags);
CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void* userData, unsigned int flags);
CUresult cuEventCreate(CUevent* event, unsigned int flags);
CUresult cuEventDestroy(CUevent event);
CUresult cuEventRecord(CUevent event, CUstream stream);
CUresult cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned int flags);
CUresult cuEventQuery(CUevent event);
CUresult cuEventSynchronize(CUevent event);
CUresult cuEventElapsedTime(float* milliseconds, CUevent start, CUevent end);
CUresult cuEventElapsedTime_v2(float* milliseconds, CUevent start, CUevent end);

// ---- profiler control

CUresult cuProfilerStart(void);
CUresult cuProfilerStop(void);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#include "cuda_driver_graph_api.h"
