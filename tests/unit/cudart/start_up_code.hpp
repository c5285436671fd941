// What a compiler's start-up code calls; no header of the API declares it.
#pragma once

#include "cuda_runtime_api.h"

extern "C" {
void** __cudaRegisterFatBinary(const void* wrapper);
void __cudaRegisterFatBinaryEnd(void** handle);
void __cudaRegisterFunction(void** handle, const char* host, char* device, const char* name, int, void*, void*, void*, void*, int*);
void __cudaRegisterVar(void** handle, char* host, char* device, const char* name, int external, size_t size, int constant, int global);
unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t sharedBytes, cudaStream_t stream);
void __warpwrightRegisterManaged(void* begin, void* end);
}
