// The driver API: a module from PTX text, functions, variables, launches and events.
// options: -lcuda
#include <cuda.h>

#include "check.hpp"

const char* const kPtx = R"(
.version 6.4
.target sm_70
.address_size 64
.visible .global .u32 calls;
.visible .entry scale(.param .u64 data, .param .u32 factor)
{
  .reg .b32 %r<4>; .reg .b64 %d<4>; .reg .pred %p;
  mov.u32 %r0, %tid.x;
  ld.param.u64 %d0, [data];
  ld.param.u32 %r1, [factor];
  mul.wide.u32 %d1, %r0, 4;
  add.u64 %d0, %d0, %d1;
  ld.global.u32 %r2, [%d0];
  mul.lo.u32 %r2, %r2, %r1;
  st.global.u32 [%d0], %r2;
  setp.ne.u32 %p, %r0, 0;
  @%p ret;
  atom.global.add.u32 %r3, [calls], 1;
  ret;
}
)";

#define DRIVER(call)                                                 \
  do {                                                               \
    const CUresult status = (call);                                  \
    if (status != CUDA_SUCCESS) {                                    \
      std::printf("line %d: error %d\n", __LINE__, status);          \
      return 2;                                                      \
    }                                                                \
  } while (0)

int main() {
  DRIVER(cuInit(0));
  CUdevice device;
  CUcontext context;
  int count = 0;
  DRIVER(cuDeviceGetCount(&count));
  DRIVER(cuDeviceGet(&device, 0));
  DRIVER(cuDevicePrimaryCtxRetain(&context, device));
  DRIVER(cuCtxSetCurrent(context));
  check::that(count == 1, "one device");

  CUmodule module;
  CUfunction function;
  DRIVER(cuModuleLoadData(&module, kPtx));
  DRIVER(cuModuleGetFunction(&function, module, "scale"));
  check::that(cuModuleGetFunction(&function, module, "absent") == CUDA_ERROR_NOT_FOUND, "no such function");
  DRIVER(cuModuleGetFunction(&function, module, "scale"));

  const auto values = table(64, [](size_t i) { return static_cast<int>(i); });
  CUdeviceptr data;
  DRIVER(cuMemAlloc(&data, 256));
  DRIVER(cuMemcpyHtoD(data, values.data(), 256));
  CUstream stream;
  CUevent event;
  DRIVER(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  DRIVER(cuEventCreate(&event, CU_EVENT_DEFAULT));
  for (int factor = 2; factor <= 4; ++factor) {
    void* arguments[] = {&data, &factor};
    DRIVER(cuLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, stream, arguments, nullptr));
  }
  DRIVER(cuEventRecord(event, stream));
  DRIVER(cuEventSynchronize(event));
  std::vector<int> back(64);
  DRIVER(cuMemcpyDtoH(back.data(), data, 256));
  check::same(back, table(64, [](size_t i) { return static_cast<int>(24 * i); }), "scaled");

  CUdeviceptr variable;
  size_t bytes = 0;
  int calls = 0;
  DRIVER(cuModuleGetGlobal(&variable, &bytes, module, "calls"));
  DRIVER(cuMemcpyDtoH(&calls, variable, sizeof calls));
  check::that(bytes == 4 && calls == 3, "the module's variable");
  int threads = 0;
  DRIVER(cuFuncGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function));
  check::that(threads == 1024, "threads of a block");
  const char* name = nullptr;
  DRIVER(cuGetErrorName(cuLaunchKernel(function, 0, 1, 1, 64, 1, 1, 0, stream, nullptr, nullptr), &name));
  std::printf("no blocks: %s\n", name);
  check::that(std::strcmp(name, "CUDA_ERROR_INVALID_VALUE") == 0, "refused");
  DRIVER(cuMemFree(data));
  DRIVER(cuModuleUnload(module));
  DRIVER(cuStreamDestroy(stream));
  DRIVER(cuDevicePrimaryCtxRelease(device));
  std::printf("%d failures\n", check::failures);
  return check::failures == 0 ? 0 : 1;
}
