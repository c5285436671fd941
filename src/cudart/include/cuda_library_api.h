// Code that a program loads itself, and the driver's functions by name.
#pragma once

#include "driver_types.h"

typedef struct CUlib_st* cudaLibrary_t;

// Options of the compiler; those that are not named here change only its speed and its logs.
enum cudaJitOption {
  cudaJitMaxRegisters = 0,
};
enum cudaLibraryOption {
  cudaLibraryHostUniversalFunctionAndDataTable = 0,
  cudaLibraryBinaryIsPreserved = 1,
};

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

// `code`: PTX text that ends with a NUL, a fat binary or its wrapper.
cudaError_t cudaLibraryLoadData(cudaLibrary_t* library, const void* code, enum cudaJitOption* jitOptions, void** jitValues,
                                unsigned int jitCount, enum cudaLibraryOption* options, void** values, unsigned int count);
cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t* library, const char* file, enum cudaJitOption* jitOptions, void** jitValues,
                                    unsigned int jitCount, enum cudaLibraryOption* options, void** values, unsigned int count);
cudaError_t cudaLibraryUnload(cudaLibrary_t library);
cudaError_t cudaLibraryGetKernel(cudaKernel_t* kernel, cudaLibrary_t library, const char* name);
cudaError_t cudaLibraryGetKernelCount(unsigned int* count, cudaLibrary_t library);
cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t* kernels, unsigned int count, cudaLibrary_t library);
cudaError_t cudaLibraryGetGlobal(void** pointer, size_t* bytes, cudaLibrary_t library, const char* name);
cudaError_t cudaLibraryGetManaged(void** pointer, size_t* bytes, cudaLibrary_t library, const char* name);
cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, enum cudaFuncAttribute attribute, int value, int device);

cudaError_t cudaGetDriverEntryPoint(const char* symbol, void** function, unsigned long long flags,
                                    enum cudaDriverEntryPointQueryResult* status WARPWRIGHT_DEFAULT(0));
cudaError_t cudaGetDriverEntryPointByVersion(const char* symbol, void** function, unsigned int cudaVersion, unsigned long long flags,
                                             enum cudaDriverEntryPointQueryResult* status WARPWRIGHT_DEFAULT(0));

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
