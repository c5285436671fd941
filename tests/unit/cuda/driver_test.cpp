// Modules, launches, memory and errors of the driver API.
#include <cstdint>
#include <cstring>
#include <vector>

#include "cuda_runtime_api.h"
#include "driver_fixture.hpp"

namespace {

class ModuleTest : public DriverTest {
 protected:
  void SetUp() override {
    DriverTest::SetUp();
    ASSERT_EQ(cuModuleLoadData(&module_, kPtx), CUDA_SUCCESS);
    ASSERT_EQ(cuModuleGetFunction(&scale_, module_, "scale"), CUDA_SUCCESS);
    ASSERT_EQ(cuMemAlloc(&out_, sizeof(uint32_t) * kCount), CUDA_SUCCESS);
  }

  CUresult launch(unsigned int threads, unsigned int factor, unsigned int sharedBytes = 0) {
    void* arguments[] = {&out_, &factor};
    return cuLaunchKernel(scale_, 1, 1, 1, threads, 1, 1, sharedBytes, nullptr, arguments, nullptr);
  }
  std::vector<uint32_t> result() {
    std::vector<uint32_t> values(kCount);
    EXPECT_EQ(cuMemcpyDtoH(values.data(), out_, sizeof(uint32_t) * kCount), CUDA_SUCCESS);
    return values;
  }
  static std::vector<uint32_t> multiples(uint32_t factor) {
    std::vector<uint32_t> values(kCount);
    for (uint32_t i = 0; i < kCount; ++i) values[i] = i * factor;
    return values;
  }

  static constexpr uint32_t kCount = 48;
  CUmodule module_ = nullptr;
  CUfunction scale_ = nullptr;
  CUdeviceptr out_ = 0;
};

TEST_F(ModuleTest, LaunchesWithPointersToArguments) {
  ASSERT_EQ(launch(kCount, 3), CUDA_SUCCESS);
  EXPECT_EQ(result(), multiples(3));
}

TEST_F(ModuleTest, LaunchesWithABufferOfArguments) {
  struct {
    CUdeviceptr out;
    uint32_t factor;
  } buffer{out_, 5};
  size_t size = sizeof buffer;
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &buffer, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
  ASSERT_EQ(cuLaunchKernel(scale_, 1, 1, 1, kCount, 1, 1, 0, nullptr, nullptr, extra), CUDA_SUCCESS);
  EXPECT_EQ(result(), multiples(5));
  size = 8;
  EXPECT_EQ(cuLaunchKernel(scale_, 1, 1, 1, kCount, 1, 1, 0, nullptr, nullptr, extra), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(DriverTest, AnybodyMayUseTheDevice) {
  int mode = -1;
  ASSERT_EQ(cuDeviceGetAttribute(&mode, CU_DEVICE_ATTRIBUTE_COMPUTE_MODE, 0), CUDA_SUCCESS);
  EXPECT_EQ(mode, CU_COMPUTEMODE_DEFAULT);
}

TEST_F(ModuleTest, WrongLaunchesGiveTheDriversErrors) {
  EXPECT_EQ(launch(0, 1), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(launch(2048, 1), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(launch(32, 1, 1 << 20), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuLaunchKernel(scale_, 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, nullptr), CUDA_ERROR_INVALID_VALUE);
  int notAFunction = 0;
  EXPECT_EQ(cuLaunchKernel(reinterpret_cast<CUfunction>(&notAFunction), 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr),
            CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(ModuleTest, FindsWhatIsThereAndNothingElse) {
  CUfunction none = nullptr;
  EXPECT_EQ(cuModuleGetFunction(&none, module_, "nothing"), CUDA_ERROR_NOT_FOUND);
  CUdeviceptr counter = 0, table = 0;
  size_t bytes = 0;
  ASSERT_EQ(cuModuleGetGlobal(&counter, &bytes, module_, "counter"), CUDA_SUCCESS);
  EXPECT_EQ(bytes, 4u);
  uint32_t value = 0;
  EXPECT_EQ(cuMemcpyDtoH(&value, counter, 4), CUDA_SUCCESS);
  EXPECT_EQ(value, 7u);
  EXPECT_EQ(cuModuleGetGlobal(&table, &bytes, module_, "table"), CUDA_SUCCESS);
  EXPECT_EQ(bytes, 8u);
  EXPECT_EQ(cuModuleGetGlobal(&table, &bytes, module_, "nothing"), CUDA_ERROR_NOT_FOUND);
}

TEST_F(ModuleTest, ParametersAreDescribed) {
  size_t offset = 0, size = 0;
  ASSERT_EQ(cuFuncGetParamInfo(scale_, 1, &offset, &size), CUDA_SUCCESS);
  EXPECT_EQ(offset, 8u);
  EXPECT_EQ(size, 4u);
  EXPECT_EQ(cuFuncGetParamInfo(scale_, 2, &offset, &size), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(ModuleTest, AnUnloadedModuleIsGone) {
  ASSERT_EQ(cuModuleUnload(module_), CUDA_SUCCESS);
  EXPECT_EQ(launch(1, 1), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cuModuleUnload(module_), CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(ModuleTest, AFaultIsStickyUntilTheContextEnds) {
  CUfunction fault = nullptr;
  ASSERT_EQ(cuModuleGetFunction(&fault, module_, "fault"), CUDA_SUCCESS);
  ASSERT_EQ(cuLaunchKernel(fault, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr), CUDA_SUCCESS);
  EXPECT_EQ(cuCtxSynchronize(), CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_EQ(launch(1, 1), CUDA_ERROR_ILLEGAL_ADDRESS);
  ASSERT_EQ(cuCtxDestroy(context_), CUDA_SUCCESS);
  ASSERT_EQ(cuCtxCreate(&context_, 0, 0), CUDA_SUCCESS);
  EXPECT_EQ(cuCtxSynchronize(), CUDA_SUCCESS);
}

// Numba 0.56 finds these by their names and gives them what the forms before take: what lies in the context's register is anything.
TEST_F(ModuleTest, FormsWithAContextDoWithoutIt) {
  const auto anything = reinterpret_cast<CUcontext>(0x1234);
  ASSERT_EQ(launch(1, 1), CUDA_SUCCESS);
  for (const CUcontext context : {context_, CUcontext(nullptr), anything}) {
    CUdevice device = 7;
    EXPECT_EQ(cuCtxGetDevice_v2(&device, context), CUDA_SUCCESS);
    EXPECT_EQ(device, 0);
    EXPECT_EQ(cuCtxSynchronize_v2(context), CUDA_SUCCESS);
  }
  EXPECT_EQ(cuCtxGetDevice_v2(nullptr, context_), CUDA_ERROR_INVALID_VALUE);
  CUcontext popped = nullptr;
  ASSERT_EQ(cuCtxPopCurrent(&popped), CUDA_SUCCESS);
  CUdevice device = 7;
  EXPECT_EQ(cuCtxGetDevice_v2(&device, popped), CUDA_SUCCESS);
  EXPECT_EQ(cuCtxSynchronize_v2(popped), CUDA_SUCCESS);
  EXPECT_EQ(cuCtxGetDevice_v2(&device, nullptr), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(cuCtxSynchronize_v2(anything), CUDA_ERROR_INVALID_CONTEXT);
  ASSERT_EQ(cuCtxPushCurrent(popped), CUDA_SUCCESS);
}

// As programs that tidy up at their end do, Numba among them.
TEST_F(ModuleTest, WhatHasAHandleIsFreedWithoutACurrentContext) {
  CUdeviceptr memory = 0;
  CUstream stream = nullptr;
  CUevent event = nullptr;
  void* pinned = nullptr;
  ASSERT_EQ(cuMemAlloc(&memory, 4), CUDA_SUCCESS);
  ASSERT_EQ(cuStreamCreate(&stream, 0), CUDA_SUCCESS);
  ASSERT_EQ(cuEventCreate(&event, 0), CUDA_SUCCESS);
  ASSERT_EQ(cuMemHostAlloc(&pinned, 4, 0), CUDA_SUCCESS);
  CUcontext popped = nullptr;
  ASSERT_EQ(cuCtxPopCurrent(&popped), CUDA_SUCCESS);
  EXPECT_EQ(cuMemFree(memory), CUDA_SUCCESS);
  EXPECT_EQ(cuStreamDestroy(stream), CUDA_SUCCESS);
  EXPECT_EQ(cuEventDestroy(event), CUDA_SUCCESS);
  EXPECT_EQ(cuMemFreeHost(pinned), CUDA_SUCCESS);
  EXPECT_EQ(cuModuleUnload(module_), CUDA_SUCCESS);
  EXPECT_EQ(cuMemAlloc(&memory, 4), CUDA_ERROR_INVALID_CONTEXT);
  ASSERT_EQ(cuCtxPushCurrent(popped), CUDA_SUCCESS);
  EXPECT_EQ(cuMemFree(memory), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(ModuleTest, LibrariesShareTheKernelsOfTheirModule) {
  CUlibrary library = nullptr;
  CUkernel kernel = nullptr;
  CUfunction function = nullptr;
  ASSERT_EQ(cuLibraryLoadData(&library, kPtx, nullptr, nullptr, 0, nullptr, nullptr, 0), CUDA_SUCCESS);
  ASSERT_EQ(cuLibraryGetKernel(&kernel, library, "scale"), CUDA_SUCCESS);
  ASSERT_EQ(cuKernelGetFunction(&function, kernel), CUDA_SUCCESS);
  scale_ = reinterpret_cast<CUfunction>(kernel);
  ASSERT_EQ(launch(kCount, 9), CUDA_SUCCESS);
  EXPECT_EQ(result(), multiples(9));
  EXPECT_EQ(cuLibraryUnload(library), CUDA_SUCCESS);
  EXPECT_EQ(launch(1, 1), CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(DriverTest, BrokenPtxIsExplainedInTheErrorLog) {
  const char broken[] = ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k()\n{\n  frobnicate.u32 %r0;\n}\n";
  char log[1024] = "";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
  CUmodule module = nullptr;
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(cuModuleLoadDataEx(&module, broken, 2, options, values), CUDA_ERROR_INVALID_PTX);
  EXPECT_NE(std::strstr(log, "frobnicate"), nullptr) << log;
  EXPECT_NE(::testing::internal::GetCapturedStderr().find("frobnicate"), std::string::npos) << "though WARPWRIGHT_QUIET is set";
  // A container's magic number, then a version that there is not.
  const unsigned char damaged[64] = {0x50, 0xed, 0x55, 0xba, 0x63, 0x63};
  EXPECT_EQ(cuModuleLoadData(&module, damaged), CUDA_ERROR_INVALID_IMAGE);
  EXPECT_EQ(cuModuleLoad(&module, "/no/such/file.ptx"), CUDA_ERROR_FILE_NOT_FOUND);
}

TEST_F(DriverTest, LinksTwoUnits) {
  const char caller[] =
      ".version 7.0\n.target sm_70\n.address_size 64\n.extern .func (.param .b32 r) twice (.param .b32 a);\n"
      ".visible .entry k(.param .u64 out)\n{\n .reg .u64 %d<2>;\n .reg .u32 %r<2>;\n ld.param.u64 %d0, [out];\n"
      " { .param .b32 p;\n .param .b32 q;\n st.param.b32 [p], 21;\n call (q), twice, (p);\n ld.param.b32 %r0, [q]; }\n"
      " st.global.u32 [%d0], %r0;\n ret;\n}\n";
  const char callee[] =
      ".version 7.0\n.target sm_70\n.address_size 64\n.visible .func (.param .b32 r) twice (.param .b32 a)\n{\n .reg .u32 %r<2>;\n"
      " ld.param.b32 %r0, [a];\n add.u32 %r1, %r0, %r0;\n st.param.b32 [r], %r1;\n ret;\n}\n";
  CUlinkState state = nullptr;
  ASSERT_EQ(cuLinkCreate(0, nullptr, nullptr, &state), CUDA_SUCCESS);
  const auto add = [&](const char* text) {
    return cuLinkAddData(state, CU_JIT_INPUT_PTX, const_cast<char*>(text), std::strlen(text) + 1, "unit", 0, nullptr, nullptr);
  };
  ASSERT_EQ(add(caller), CUDA_SUCCESS);
  ASSERT_EQ(add(callee), CUDA_SUCCESS);
  void* cubin = nullptr;
  size_t size = 0;
  ASSERT_EQ(cuLinkComplete(state, &cubin, &size), CUDA_SUCCESS);
  CUmodule module = nullptr;
  ASSERT_EQ(cuModuleLoadData(&module, cubin), CUDA_SUCCESS);
  EXPECT_EQ(cuLinkDestroy(state), CUDA_SUCCESS);
  CUfunction kernel = nullptr;
  CUdeviceptr out = 0;
  ASSERT_EQ(cuModuleGetFunction(&kernel, module, "k"), CUDA_SUCCESS);
  ASSERT_EQ(cuMemAlloc(&out, 4), CUDA_SUCCESS);
  void* arguments[] = {&out};
  ASSERT_EQ(cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr), CUDA_SUCCESS);
  uint32_t value = 0;
  ASSERT_EQ(cuMemcpyDtoH(&value, out, 4), CUDA_SUCCESS);
  EXPECT_EQ(value, 42u);
}

TEST_F(DriverTest, FillsOfEveryWidth) {
  CUdeviceptr memory = 0;
  ASSERT_EQ(cuMemAlloc(&memory, 16), CUDA_SUCCESS);
  ASSERT_EQ(cuMemsetD32(memory, 0x01020304, 2), CUDA_SUCCESS);
  ASSERT_EQ(cuMemsetD16(memory + 8, 0x0506, 2), CUDA_SUCCESS);
  ASSERT_EQ(cuMemsetD8(memory + 12, 0x07, 4), CUDA_SUCCESS);
  uint8_t bytes[16];
  ASSERT_EQ(cuMemcpyDtoH(bytes, memory, sizeof bytes), CUDA_SUCCESS);
  const uint8_t expected[16] = {4, 3, 2, 1, 4, 3, 2, 1, 6, 5, 6, 5, 7, 7, 7, 7};
  EXPECT_EQ(std::memcmp(bytes, expected, sizeof bytes), 0);
  EXPECT_EQ(cuMemsetD32(memory + 1, 0, 1), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(DriverTest, CopiesOfPitchedMemory) {
  uint8_t source[6] = {1, 2, 3, 4, 5, 6}, target[6] = {};
  CUdeviceptr memory = 0;
  size_t pitch = 0;
  ASSERT_EQ(cuMemAllocPitch(&memory, &pitch, 3, 2, 4), CUDA_SUCCESS);
  CUDA_MEMCPY2D copy{};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = source;
  copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.dstDevice = memory;
  copy.dstPitch = pitch;
  copy.WidthInBytes = 3;
  copy.Height = 2;
  ASSERT_EQ(cuMemcpy2D(&copy), CUDA_SUCCESS);
  ASSERT_EQ(cuMemcpyDtoH(target, memory + pitch, 3), CUDA_SUCCESS);
  EXPECT_EQ(target[0], 4);
  EXPECT_EQ(target[2], 6);
}

TEST_F(DriverTest, MemoryErrors) {
  CUdeviceptr memory = 0, base = 0;
  size_t size = 0;
  EXPECT_EQ(cuMemAlloc(&memory, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemAlloc(&memory, size_t{1} << 40), CUDA_ERROR_OUT_OF_MEMORY);
  ASSERT_EQ(cuMemAlloc(&memory, 100), CUDA_SUCCESS);
  ASSERT_EQ(cuMemGetAddressRange(&base, &size, memory + 60), CUDA_SUCCESS);
  EXPECT_EQ(base, memory);
  EXPECT_EQ(size, 100u);
  char byte = 0;
  EXPECT_EQ(cuMemcpyHtoD(memory + 100, &byte, 1), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemFree(memory), CUDA_SUCCESS);
  EXPECT_EQ(cuMemFree(memory), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemGetAddressRange(&base, &size, memory), CUDA_ERROR_NOT_FOUND);
}

TEST_F(DriverTest, AContextTakesItsMemoryWithIt) {
  size_t before = 0, after = 0, total = 0;
  ASSERT_EQ(cuMemGetInfo(&before, &total), CUDA_SUCCESS);
  CUcontext inner = nullptr, current = nullptr;
  CUdeviceptr memory = 0;
  ASSERT_EQ(cuCtxCreate(&inner, 0, 0), CUDA_SUCCESS);
  ASSERT_EQ(cuMemAlloc(&memory, 1 << 20), CUDA_SUCCESS);
  ASSERT_EQ(cuCtxDestroy(inner), CUDA_SUCCESS);
  ASSERT_EQ(cuCtxGetCurrent(&current), CUDA_SUCCESS);
  EXPECT_EQ(current, context_);
  ASSERT_EQ(cuMemGetInfo(&after, &total), CUDA_SUCCESS);
  EXPECT_EQ(before, after);
  EXPECT_EQ(cuCtxDestroy(inner), CUDA_ERROR_INVALID_CONTEXT);
}

TEST_F(DriverTest, ParametersOfAContextThatAskForNothingAreTaken) {
  CUctxCreateParams parameters{};
  CUcontext context = nullptr;
  ASSERT_EQ(cuCtxCreate_v4(&context, &parameters, 0, 0), CUDA_SUCCESS);
  EXPECT_EQ(cuCtxDestroy(context), CUDA_SUCCESS);
  parameters.numExecAffinityParams = 1;
  EXPECT_EQ(cuCtxCreate_v4(&context, &parameters, 0, 0), CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY);
  parameters = {};
  parameters.cigParams = reinterpret_cast<CUctxCigParam*>(&parameters);
  EXPECT_EQ(cuCtxCreate_v4(&context, &parameters, 0, 0), CUDA_ERROR_NOT_SUPPORTED);
}

TEST_F(DriverTest, WithoutAContextNothingCanBeAllocated) {
  CUcontext popped = nullptr;
  CUdeviceptr memory = 0;
  ASSERT_EQ(cuCtxPopCurrent(&popped), CUDA_SUCCESS);
  EXPECT_EQ(popped, context_);
  EXPECT_EQ(cuMemAlloc(&memory, 4), CUDA_ERROR_INVALID_CONTEXT);
  ASSERT_EQ(cuCtxPushCurrent(context_), CUDA_SUCCESS);
  EXPECT_EQ(cuMemAlloc(&memory, 4), CUDA_SUCCESS);
}

TEST_F(DriverTest, EntryPointsByNameAndRelease) {
  void* function = nullptr;
  CUdriverProcAddressQueryResult status;
  ASSERT_EQ(cuGetProcAddress("cuMemAlloc", &function, 12000, 0, &status), CUDA_SUCCESS);
  EXPECT_EQ(function, reinterpret_cast<void*>(&cuMemAlloc));
  ASSERT_EQ(cuGetProcAddress("cuCtxCreate", &function, 13000, 0, &status), CUDA_SUCCESS);
  EXPECT_EQ(function, reinterpret_cast<void*>(&cuCtxCreate_v4));
  EXPECT_EQ(cuGetProcAddress("cuNoSuchThing", &function, 13000, 0, nullptr), CUDA_ERROR_NOT_FOUND);
}

TEST_F(DriverTest, ErrorsHaveNamesAndTexts) {
  const char* text = nullptr;
  ASSERT_EQ(cuGetErrorName(CUDA_ERROR_INVALID_PTX, &text), CUDA_SUCCESS);
  EXPECT_STREQ(text, "CUDA_ERROR_INVALID_PTX");
  EXPECT_EQ(cuGetErrorString(static_cast<CUresult>(12345), &text), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(text, nullptr);
}

TEST_F(DriverTest, TheRuntimeSeesTheSameMemoryAndKeepsItsLastError) {
  CUdeviceptr memory = 0;
  ASSERT_EQ(cuMemAlloc(&memory, 4), CUDA_SUCCESS);
  const uint32_t value = 99;
  ASSERT_EQ(cudaMemcpy(reinterpret_cast<void*>(memory), &value, 4, cudaMemcpyHostToDevice), cudaSuccess);
  uint32_t back = 0;
  ASSERT_EQ(cuMemcpyDtoH(&back, memory, 4), CUDA_SUCCESS);
  EXPECT_EQ(back, value);
  EXPECT_EQ(cuMemFree(1), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

}  // namespace
