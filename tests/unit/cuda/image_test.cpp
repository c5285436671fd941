// What may be loaded and linked, and the forms for a default stream of each thread's own.
#include <cstring>
#include <string>

#include "cuda_runtime_api.h"
#include "driver_fixture.hpp"

namespace {

constexpr char kHead[] = ".version 7.0\n.target sm_70\n.address_size 64\n";

// Stores the value of its unit's own variable `hidden`; every unit has one of that name.
std::string unitOf(const std::string& kernel, int value) {
  return kHead + (".global .align 4 .u32 hidden = " + std::to_string(value)) + ";\n.visible .entry " + kernel +
         "(.param .u64 out)\n{\n  .reg .u64 %d<1>;\n  .reg .u32 %r<1>;\n  ld.param.u64 %d0, [out];\n  ld.global.u32 %r0, [hidden];\n"
         "  st.global.u32 [%d0], %r0;\n  ret;\n}\n";
}

class ImageTest : public DriverTest {
 protected:
  void SetUp() override {
    DriverTest::SetUp();
    ASSERT_EQ(cuMemAlloc(&out_, 4), CUDA_SUCCESS);
  }
  static CUresult add(CUlinkState state, const std::string& text) {
    return cuLinkAddData(state, CU_JIT_INPUT_PTX, const_cast<char*>(text.c_str()), text.size() + 1, "unit", 0, nullptr, nullptr);
  }
  int resultOf(CUmodule module, const char* name) {
    CUfunction kernel = nullptr;
    EXPECT_EQ(cuModuleGetFunction(&kernel, module, name), CUDA_SUCCESS);
    void* arguments[] = {&out_};
    EXPECT_EQ(cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr), CUDA_SUCCESS);
    int value = -1;
    EXPECT_EQ(cuMemcpyDtoH(&value, out_, 4), CUDA_SUCCESS);
    return value;
  }

  CUdeviceptr out_ = 0;
};

TEST_F(ImageTest, LinkedUnitsKeepNamesOfTheirOwnApart) {
  CUlinkState state = nullptr;
  ASSERT_EQ(cuLinkCreate(0, nullptr, nullptr, &state), CUDA_SUCCESS);
  ASSERT_EQ(add(state, unitOf("first", 1)), CUDA_SUCCESS);
  ASSERT_EQ(add(state, unitOf("second", 2)), CUDA_SUCCESS);
  void* cubin = nullptr;
  size_t size = 0;
  ASSERT_EQ(cuLinkComplete(state, &cubin, &size), CUDA_SUCCESS);
  // Programs keep what a link gives.
  const std::string kept(static_cast<const char*>(cubin), size);
  ASSERT_EQ(cuLinkDestroy(state), CUDA_SUCCESS);
  CUmodule module = nullptr;
  ASSERT_EQ(cuModuleLoadData(&module, kept.data()), CUDA_SUCCESS);
  EXPECT_EQ(resultOf(module, "first"), 1);
  EXPECT_EQ(resultOf(module, "second"), 2);
}

TEST_F(ImageTest, ALinkSaysWhatIsDefinedTwice) {
  char log[512] = "";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
  CUlinkState state = nullptr;
  ASSERT_EQ(cuLinkCreate(2, options, values, &state), CUDA_SUCCESS);
  ASSERT_EQ(add(state, unitOf("same", 1)), CUDA_SUCCESS);
  ASSERT_EQ(add(state, unitOf("same", 2)), CUDA_SUCCESS);
  void* cubin = nullptr;
  size_t size = 0;
  EXPECT_EQ(cuLinkComplete(state, &cubin, &size), CUDA_ERROR_INVALID_PTX);
  EXPECT_NE(std::strstr(log, "'same' is defined in two translation units"), nullptr) << log;
  EXPECT_EQ(cuLinkDestroy(state), CUDA_SUCCESS);
}

TEST_F(ImageTest, KernelsOfTheRuntimesLibraries) {
  cudaLibrary_t library = nullptr;
  cudaKernel_t kernel = nullptr;
  ASSERT_EQ(cudaLibraryLoadData(&library, unitOf("first", 3).c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0), cudaSuccess);
  ASSERT_EQ(cudaLibraryGetKernel(&kernel, library, "first"), cudaSuccess);
  void* arguments[] = {&out_};
  const auto launch = [&] {
    return cuLaunchKernel(reinterpret_cast<CUfunction>(kernel), 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr);
  };
  EXPECT_EQ(launch(), CUDA_SUCCESS);
  int value = -1;
  EXPECT_EQ(cuMemcpyDtoH(&value, out_, 4), CUDA_SUCCESS);
  EXPECT_EQ(value, 3);
  EXPECT_EQ(cudaLibraryUnload(library), cudaSuccess);
  EXPECT_EQ(launch(), CUDA_ERROR_INVALID_HANDLE);
}

// A cubin: an ELF file for machine 190 (EM_CUDA), and no more of it than its header.
TEST_F(ImageTest, MachineCodeWithoutPtx) {
  unsigned char cubin[128] = {0x7f, 'E', 'L', 'F', 2, 1, 1};
  cubin[18] = 190;
  CUmodule module = nullptr;
  char log[512] = "";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
  EXPECT_EQ(cuModuleLoadDataEx(&module, cubin, 2, options, values), CUDA_ERROR_NO_BINARY_FOR_GPU);
  EXPECT_NE(std::strstr(log, "-gencode arch=compute_75,code=compute_75"), nullptr) << log;
}

// The ids of the two default streams: 1 and 2, as in the runtime.
TEST_F(ImageTest, FormsForADefaultStreamOfEachThreadsOwn) {
  using GetId = CUresult (*)(CUstream, unsigned long long*);
  const auto idBy = [](cuuint64_t flags) {
    void* function = nullptr;
    EXPECT_EQ(cuGetProcAddress("cuStreamGetId", &function, 12000, flags, nullptr), CUDA_SUCCESS);
    unsigned long long id = 0;
    EXPECT_EQ(reinterpret_cast<GetId>(function)(nullptr, &id), CUDA_SUCCESS);
    return id;
  };
  EXPECT_EQ(idBy(CU_GET_PROC_ADDRESS_DEFAULT), 1u);
  EXPECT_EQ(idBy(CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM), 2u);
  EXPECT_EQ(idBy(CU_GET_PROC_ADDRESS_LEGACY_STREAM), 1u) << "it lasts for one call";
  void *plain = nullptr, *perThread = nullptr;
  EXPECT_EQ(cuGetProcAddress("cuMemcpyHtoD", &plain, 12000, 0, nullptr), CUDA_SUCCESS);
  EXPECT_EQ(cuGetProcAddress_v2_ptsz("cuMemcpyHtoD", &perThread, 12000, 0, nullptr), CUDA_SUCCESS);
  EXPECT_NE(plain, perThread);
}

}  // namespace
