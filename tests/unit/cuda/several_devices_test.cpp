// Two devices through the driver API: a context says which.
#include <array>
#include <vector>

#include "cuda_runtime_api.h"
#include "driver_fixture.hpp"

namespace {

class SeveralDevicesTest : public DriverTest {
 protected:
  void SetUp() override {
    DriverTest::SetUp();
    contexts_[0] = context_;
    ASSERT_EQ(cuCtxCreate(&contexts_[1], 0, 1), CUDA_SUCCESS);
  }
  void TearDown() override {
    EXPECT_EQ(cuCtxDestroy(contexts_[1]), CUDA_SUCCESS);
    EXPECT_EQ(cuCtxSetCurrent(contexts_[0]), CUDA_SUCCESS);
    DriverTest::TearDown();
  }

  void enter(int device) { ASSERT_EQ(cuCtxSetCurrent(contexts_[static_cast<std::size_t>(device)]), CUDA_SUCCESS); }

  static constexpr unsigned int kThreads = 8;
  std::array<CUcontext, 2> contexts_{};
};

CUdevice current() {
  CUdevice device = -1;
  EXPECT_EQ(cuCtxGetDevice(&device), CUDA_SUCCESS);
  return device;
}

CUresult launchScale(CUfunction function, CUdeviceptr out, unsigned int factor, unsigned int threads) {
  void* arguments[] = {&out, &factor};
  return cuLaunchKernel(function, 1, 1, 1, threads, 1, 1, 0, nullptr, arguments, nullptr);
}

TEST_F(SeveralDevicesTest, AreCountedAndToldApart) {
  int count = 0;
  EXPECT_EQ(cuDeviceGetCount(&count), CUDA_SUCCESS);
  EXPECT_EQ(count, 2);
  CUdevice device = -1;
  EXPECT_EQ(cuDeviceGet(&device, 1), CUDA_SUCCESS);
  EXPECT_EQ(device, 1);
  EXPECT_EQ(cuDeviceGet(&device, 2), CUDA_ERROR_INVALID_DEVICE);
  CUuuid first, second;
  EXPECT_EQ(cuDeviceGetUuid(&first, 0), CUDA_SUCCESS);
  EXPECT_EQ(cuDeviceGetUuid(&second, 1), CUDA_SUCCESS);
  EXPECT_NE(std::string(first.bytes, sizeof first.bytes), std::string(second.bytes, sizeof second.bytes));
  int value = -1;
  EXPECT_EQ(cuDeviceGetP2PAttribute(&value, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, 0, 1), CUDA_SUCCESS);
  EXPECT_EQ(value, 0);
  EXPECT_EQ(cuDeviceGetP2PAttribute(&value, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, 0, 0), CUDA_ERROR_INVALID_DEVICE);
}

TEST_F(SeveralDevicesTest, TheCurrentContextSaysWhichInBothApis) {
  EXPECT_EQ(current(), 1);
  int ofRuntime = -1;
  EXPECT_EQ(cudaGetDevice(&ofRuntime), cudaSuccess);
  EXPECT_EQ(ofRuntime, 1);
  enter(0);
  EXPECT_EQ(cudaGetDevice(&ofRuntime), cudaSuccess);
  EXPECT_EQ(ofRuntime, 0);
  ASSERT_EQ(cuCtxPushCurrent(contexts_[1]), CUDA_SUCCESS);
  EXPECT_EQ(current(), 1);
  CUcontext popped = nullptr;
  ASSERT_EQ(cuCtxPopCurrent(&popped), CUDA_SUCCESS);
  EXPECT_EQ(current(), 0);
  // The runtime makes a device's primary context current.
  CUcontext primary = nullptr, now = nullptr;
  ASSERT_EQ(cuDevicePrimaryCtxRetain(&primary, 1), CUDA_SUCCESS);
  EXPECT_EQ(cudaSetDevice(1), cudaSuccess);
  EXPECT_EQ(cuCtxGetCurrent(&now), CUDA_SUCCESS);
  EXPECT_EQ(now, primary);
  EXPECT_EQ(cuDevicePrimaryCtxRelease(1), CUDA_SUCCESS);
}

TEST_F(SeveralDevicesTest, ModulesAndMemoryBelongToTheContextsDevice) {
  std::array<CUdeviceptr, 2> memory{};
  std::array<CUmodule, 2> modules{};
  std::array<CUfunction, 2> functions{};
  for (const int device : {0, 1}) {
    enter(device);
    const auto i = static_cast<std::size_t>(device);
    ASSERT_EQ(cuMemAlloc(&memory[i], kThreads * 4), CUDA_SUCCESS);
    ASSERT_EQ(cuModuleLoadData(&modules[i], kPtx), CUDA_SUCCESS);
    ASSERT_EQ(cuModuleGetFunction(&functions[i], modules[i], "scale"), CUDA_SUCCESS);
    ASSERT_EQ(launchScale(functions[i], memory[i], 10 + static_cast<unsigned int>(device), kThreads), CUDA_SUCCESS);
    int ordinal = -1;
    EXPECT_EQ(cuPointerGetAttribute(&ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, memory[i]), CUDA_SUCCESS);
    EXPECT_EQ(ordinal, device);
  }
  // From a device to the other, with either of them current; and a function of another device is refused.
  enter(0);
  EXPECT_EQ(launchScale(functions[1], memory[1], 1, kThreads), CUDA_ERROR_INVALID_HANDLE);
  std::vector<unsigned int> host(kThreads);
  EXPECT_EQ(cuMemcpyDtoH(host.data(), memory[1], kThreads * 4), CUDA_SUCCESS);
  EXPECT_EQ(host[3], 33u);
  ASSERT_EQ(cuMemcpyPeer(memory[1], contexts_[1], memory[0], contexts_[0], kThreads * 4), CUDA_SUCCESS);
  EXPECT_EQ(cuMemcpyDtoH(host.data(), memory[1], kThreads * 4), CUDA_SUCCESS);
  EXPECT_EQ(host[3], 30u);
  EXPECT_EQ(cuMemcpyPeerAsync(memory[1], reinterpret_cast<CUcontext>(0x1234), memory[0], contexts_[0], 4, nullptr),
            CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(cuCtxEnablePeerAccess(contexts_[1], 0), CUDA_ERROR_PEER_ACCESS_UNSUPPORTED);
  EXPECT_EQ(cuCtxDisablePeerAccess(contexts_[1]), CUDA_ERROR_PEER_ACCESS_NOT_ENABLED);
}

TEST_F(SeveralDevicesTest, TheKernelsOfALibraryRunOnAllOfThem) {
  enter(0);
  CUlibrary library = nullptr;
  CUkernel kernel = nullptr;
  ASSERT_EQ(cuLibraryLoadData(&library, kPtx, nullptr, nullptr, 0, nullptr, nullptr, 0), CUDA_SUCCESS);
  ASSERT_EQ(cuLibraryGetKernel(&kernel, library, "scale"), CUDA_SUCCESS);
  std::array<CUdeviceptr, 2> counters{};
  for (const int device : {0, 1}) {
    enter(device);
    CUdeviceptr memory = 0;
    size_t bytes = 0;
    ASSERT_EQ(cuMemAlloc(&memory, kThreads * 4), CUDA_SUCCESS);
    EXPECT_EQ(launchScale(reinterpret_cast<CUfunction>(kernel), memory, 5, kThreads), CUDA_SUCCESS);
    std::vector<unsigned int> host(kThreads);
    EXPECT_EQ(cuMemcpyDtoH(host.data(), memory, kThreads * 4), CUDA_SUCCESS);
    EXPECT_EQ(host[7], 35u);
    EXPECT_EQ(cuLibraryGetGlobal(&counters[static_cast<std::size_t>(device)], &bytes, library, "counter"), CUDA_SUCCESS);
  }
  EXPECT_NE(counters[0], counters[1]);
  EXPECT_EQ(cuLibraryUnload(library), CUDA_SUCCESS);
}

TEST_F(SeveralDevicesTest, TheEndOfAContextLeavesTheOtherDeviceAlone) {
  enter(0);
  CUdeviceptr kept = 0;
  ASSERT_EQ(cuMemAlloc(&kept, 4), CUDA_SUCCESS);
  ASSERT_EQ(cuMemsetD32(kept, 77, 1), CUDA_SUCCESS);
  ASSERT_EQ(cuDevicePrimaryCtxReset(1), CUDA_SUCCESS);
  EXPECT_EQ(current(), 0);
  unsigned int value = 0;
  EXPECT_EQ(cuMemcpyDtoH(&value, kept, 4), CUDA_SUCCESS);
  EXPECT_EQ(value, 77u);
}

}  // namespace
