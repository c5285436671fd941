// Compilation of NVVM IR to PTX at run time. The functions of libNVVM, carried out by LLVM's tools (docs/numba.md).
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

// Values: libNVVM API documentation, "Error Handling".
typedef enum {
  NVVM_SUCCESS = 0,
  NVVM_ERROR_OUT_OF_MEMORY = 1,
  NVVM_ERROR_PROGRAM_CREATION_FAILURE = 2,
  NVVM_ERROR_IR_VERSION_MISMATCH = 3,
  NVVM_ERROR_INVALID_INPUT = 4,
  NVVM_ERROR_INVALID_PROGRAM = 5,
  NVVM_ERROR_INVALID_IR = 6,
  NVVM_ERROR_INVALID_OPTION = 7,
  NVVM_ERROR_NO_MODULE_IN_PROGRAM = 8,
  NVVM_ERROR_COMPILATION = 9
} nvvmResult;

typedef struct _nvvmProgram* nvvmProgram;

const char* nvvmGetErrorString(nvvmResult result);
nvvmResult nvvmVersion(int* major, int* minor);
nvvmResult nvvmIRVersion(int* majorIR, int* minorIR, int* majorDbg, int* minorDbg);
nvvmResult nvvmCreateProgram(nvvmProgram* program);
nvvmResult nvvmDestroyProgram(nvvmProgram* program);
// A module as text or bitcode. Of one that is added lazily, only what others need is taken.
nvvmResult nvvmAddModuleToProgram(nvvmProgram program, const char* buffer, size_t size, const char* name);
nvvmResult nvvmLazyAddModuleToProgram(nvvmProgram program, const char* buffer, size_t size, const char* name);
nvvmResult nvvmVerifyProgram(nvvmProgram program, int optionCount, const char** options);
nvvmResult nvvmCompileProgram(nvvmProgram program, int optionCount, const char** options);
// Sizes count the terminating NUL.
nvvmResult nvvmGetCompiledResultSize(nvvmProgram program, size_t* size);
nvvmResult nvvmGetCompiledResult(nvvmProgram program, char* ptx);
nvvmResult nvvmGetProgramLogSize(nvvmProgram program, size_t* size);
nvvmResult nvvmGetProgramLog(nvvmProgram program, char* log);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
