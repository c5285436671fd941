// What a compiler's start-up code and launch stubs do, done by hand with PTX written here.
#include <cstring>

#include "api_fixture.hpp"
#include "start_up_code.hpp"

namespace {

// add: out[i] = i + offset + table[0] for every thread i of the block. fault: a store to address 4096 past a null pointer.
// trapped: the trap instruction.
constexpr char kPtx[] = R"(
.version 7.0
.target sm_70
.address_size 64
.const .align 4 .b8 table[8] = {5, 0, 0, 0, 6, 0, 0, 0};
.global .align 4 .u32 seen;
.global .align 4 .u32 shared_with_host = 40;
.visible .entry add(.param .u64 out, .param .u32 offset)
{
  .reg .u32 %r<6>;
  .reg .u64 %d<4>;
  ld.param.u64 %d0, [out];
  ld.param.u32 %r0, [offset];
  mov.u32 %r1, %tid.x;
  ld.const.u32 %r2, [table];
  add.u32 %r3, %r1, %r0;
  add.u32 %r4, %r3, %r2;
  mul.wide.u32 %d1, %r1, 4;
  add.u64 %d2, %d0, %d1;
  st.global.u32 [%d2], %r4;
  atom.global.add.u32 %r5, [seen], 1;
  red.global.add.u32 [shared_with_host], 2;
  ret;
}
.visible .entry fault()
{
  .reg .u64 %d<1>;
  mov.u64 %d0, 4096;
  st.global.u32 [%d0], 1;
  ret;
}
.visible .entry trapped()
{
  trap;
}
)";
constexpr char kBrokenPtx[] = ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry broken()\n{\n  frobnicate.u32 %r0;\n}\n";

struct Wrapper {
  unsigned magic = 0x466243b1, version = 1;
  const void* data = nullptr;
  void* second = nullptr;
};

// Host addresses that stand for the kernels and variables.
char addStub, faultStub, trapStub, missingStub, brokenStub;
int table[2], seen, managed;

void registerAll() {
  static Wrapper good{0x466243b1, 1, kPtx, nullptr}, broken{0x466243b1, 1, kBrokenPtx, nullptr};
  void** const handle = __cudaRegisterFatBinary(&good);
  const auto function = [](void** to, char& host, const char* name) {
    __cudaRegisterFunction(to, &host, nullptr, name, -1, nullptr, nullptr, nullptr, nullptr, nullptr);
  };
  function(handle, addStub, "add");
  function(handle, faultStub, "fault");
  function(handle, trapStub, "trapped");
  function(handle, missingStub, "missing");
  __warpwrightRegisterManaged(&managed, &managed + 1);
  const auto variable = [handle](int* host, const char* name, size_t size) {
    __cudaRegisterVar(handle, reinterpret_cast<char*>(host), nullptr, name, 0, size, 0, 0);
  };
  variable(table, "table", 8);
  variable(&seen, "seen", 4);
  variable(&managed, "shared_with_host", 4);
  __cudaRegisterFatBinaryEnd(handle);
  function(__cudaRegisterFatBinary(&broken), brokenStub, "broken");
}

class RegistrationTest : public ApiTest {
 protected:
  static void SetUpTestSuite() {
    ApiTest::SetUpTestSuite();
    static const bool once = (registerAll(), true);
    static_cast<void>(once);
  }
  void SetUp() override {
    ApiTest::SetUp();
    ASSERT_EQ(cudaMalloc(&out, 64 * sizeof(int)), cudaSuccess);
  }
  cudaError_t launchAdd(int threads, int offset) {
    void* arguments[] = {&out, &offset};
    return cudaLaunchKernel(static_cast<const void*>(&addStub), dim3(1), dim3(threads), arguments, 0, nullptr);
  }
  static cudaError_t launch(const char& stub) {
    return cudaLaunchKernel(static_cast<const void*>(&stub), dim3(1), dim3(1), nullptr, 0, nullptr);
  }
  int valueAt(int index) {
    int value = -1;
    EXPECT_EQ(cudaMemcpy(&value, out + index, sizeof value, cudaMemcpyDeviceToHost), cudaSuccess);
    return value;
  }
  int* out = nullptr;
};

// Before anything is loaded: the test that runs first sees the value that the PTX gives.
TEST_F(RegistrationTest, ManagedVariablesAreOneMemory) {
  EXPECT_EQ(managed, 40);
  managed = 100;
  EXPECT_EQ(launchAdd(3, 0), cudaSuccess);
  EXPECT_EQ(managed, 106);
}

TEST_F(RegistrationTest, LaunchesAndSymbols) {
  EXPECT_EQ(launchAdd(64, 10), cudaSuccess);
  EXPECT_EQ(valueAt(63), 63 + 10 + 5);
  const int replacement = 1000;
  EXPECT_EQ(cudaMemcpyToSymbol(table, &replacement, sizeof replacement), cudaSuccess);
  EXPECT_EQ(launchAdd(2, 0), cudaSuccess);
  EXPECT_EQ(valueAt(1), 1001);
  int count = 0, second = 0;
  EXPECT_EQ(cudaMemcpyFromSymbol(&count, seen, sizeof count), cudaSuccess);
  EXPECT_EQ(count, 66);
  EXPECT_EQ(cudaMemcpyFromSymbol(&second, table, 4, 4), cudaSuccess);
  EXPECT_EQ(second, 6);
  EXPECT_EQ(cudaMemcpyFromSymbol(&second, table, 8, 4), cudaErrorInvalidValue);
  void* address = nullptr;
  size_t size = 0;
  EXPECT_EQ(cudaGetSymbolAddress(&address, seen), cudaSuccess);
  EXPECT_EQ(cudaGetSymbolSize(&size, table), cudaSuccess);
  EXPECT_EQ(size, 8u);
  EXPECT_EQ(cudaMemset(address, 0, 4), cudaSuccess);
  EXPECT_EQ(cudaMemcpyFromSymbol(&count, seen, sizeof count), cudaSuccess);
  EXPECT_EQ(count, 0);
}

TEST_F(RegistrationTest, AResetLoadsEverythingAnew) {
  EXPECT_EQ(launchAdd(5, 0), cudaSuccess);
  ASSERT_EQ(cudaDeviceReset(), cudaSuccess);
  int count = -1;
  EXPECT_EQ(cudaMemcpyFromSymbol(&count, seen, sizeof count), cudaSuccess);
  EXPECT_EQ(count, 0);
}

TEST_F(RegistrationTest, ErrorsInsideAKernelStayUntilAReset) {
  EXPECT_EQ(launch(faultStub), cudaSuccess);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaGetLastError(), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaGetLastError(), cudaErrorIllegalAddress);
  EXPECT_EQ(launchAdd(1, 0), cudaErrorIllegalAddress);
  void* pointer = nullptr;
  EXPECT_EQ(cudaMalloc(&pointer, 4), cudaErrorIllegalAddress);
  int count = 0;
  EXPECT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
  EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_EQ(cudaMalloc(&pointer, 4), cudaSuccess);
  EXPECT_EQ(launch(trapStub), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorLaunchFailure);
}

TEST_F(RegistrationTest, LaunchErrorsDoNotStay) {
  EXPECT_EQ(launchAdd(1025, 0), cudaErrorInvalidConfiguration);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidConfiguration);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_EQ(launch(missingStub), cudaErrorInvalidDeviceFunction);
  EXPECT_EQ(launch(brokenStub), cudaErrorInvalidPtx);
  EXPECT_EQ(launch(brokenStub), cudaErrorInvalidPtx);
  EXPECT_EQ(launchAdd(1, 0), cudaSuccess);
}

TEST_F(RegistrationTest, SharedMemoryBeyondTheDefaultMustBeAskedFor) {
  int offset = 0;
  void* arguments[] = {&out, &offset};
  const auto launchWith = [&](size_t bytes) {
    return cudaLaunchKernel(static_cast<const void*>(&addStub), dim3(1), dim3(1), arguments, bytes, nullptr);
  };
  const auto* const kernel = static_cast<const void*>(&addStub);
  EXPECT_EQ(launchWith(48 * 1024), cudaSuccess);
  EXPECT_EQ(launchWith(48 * 1024 + 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 96 * 1024 + 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 96 * 1024), cudaSuccess);
  EXPECT_EQ(launchWith(96 * 1024), cudaSuccess);
  EXPECT_EQ(launchWith(96 * 1024 + 1), cudaErrorInvalidValue);
}

TEST_F(RegistrationTest, AttributesAndOccupancy) {
  const auto* const kernel = static_cast<const void*>(&addStub);
  cudaFuncAttributes attributes;
  ASSERT_EQ(cudaFuncGetAttributes(&attributes, kernel), cudaSuccess);
  EXPECT_GT(attributes.numRegs, 0);
  EXPECT_LE(attributes.numRegs, 32);
  EXPECT_EQ(attributes.maxThreadsPerBlock, 1024);
  EXPECT_EQ(attributes.constSizeBytes, 8u);
  EXPECT_EQ(attributes.ptxVersion, 70);
  // At most 32 registers: 64 warps of the SM are the limit, 8 blocks of 8 warps.
  int blocks = 0;
  EXPECT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 256, 0), cudaSuccess);
  EXPECT_EQ(blocks, 8);
  EXPECT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 256, 40000), cudaSuccess);
  EXPECT_EQ(blocks, 2);
  size_t bytes = 0;
  EXPECT_EQ(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, kernel, 4, 256), cudaSuccess);
  EXPECT_EQ(bytes, 24u * 1024);
  size_t offset = 0, size = 0;
  EXPECT_EQ(cudaFuncGetParamInfo(kernel, 1, &offset, &size), cudaSuccess);
  EXPECT_EQ(offset, 8u);
  EXPECT_EQ(size, 4u);
  EXPECT_EQ(cudaFuncGetParamInfo(kernel, 2, &offset, &size), cudaErrorInvalidValue);
  int grid = 0, block = 0;
  EXPECT_EQ(cudaOccupancyMaxPotentialBlockSize(&grid, &block, &addStub), cudaSuccess);
  EXPECT_EQ(block, 1024);
  EXPECT_EQ(grid, 2 * 3);
}

TEST_F(RegistrationTest, LaunchConfigurations) {
  int offset = 7;
  void* arguments[] = {&out, &offset};
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(1);
  config.blockDim = dim3(4);
  EXPECT_EQ(cudaLaunchKernelExC(&config, &addStub, arguments), cudaSuccess);
  EXPECT_EQ(valueAt(3), 3 + 7 + 5);
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeCooperative;
  attribute.val.cooperative = 1;
  config.attrs = &attribute;
  config.numAttrs = 1;
  EXPECT_EQ(cudaLaunchKernelExC(&config, &addStub, arguments), cudaSuccess);
  config.gridDim = dim3(1 << 20);
  EXPECT_EQ(cudaLaunchKernelExC(&config, &addStub, arguments), cudaErrorCooperativeLaunchTooLarge);
  config.gridDim = dim3(1);
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {2, 1, 1};
  EXPECT_EQ(cudaLaunchKernelExC(&config, &addStub, arguments), cudaErrorNotSupported);
}

TEST_F(RegistrationTest, CallConfigurationsNest) {
  dim3 grid, block;
  size_t shared = 0;
  cudaStream_t stream = nullptr;
  EXPECT_EQ(__cudaPushCallConfiguration(dim3(1, 2, 3), dim3(4, 5, 6), 7, cudaStreamPerThread), 0u);
  EXPECT_EQ(__cudaPushCallConfiguration(dim3(9), dim3(8), 0, nullptr), 0u);
  EXPECT_EQ(__cudaPopCallConfiguration(&grid, &block, &shared, &stream), cudaSuccess);
  EXPECT_EQ(grid.x, 9u);
  EXPECT_EQ(__cudaPopCallConfiguration(&grid, &block, &shared, &stream), cudaSuccess);
  EXPECT_EQ(grid.z, 3u);
  EXPECT_EQ(block.y, 5u);
  EXPECT_EQ(shared, 7u);
  EXPECT_EQ(stream, cudaStreamPerThread);
  EXPECT_EQ(__cudaPopCallConfiguration(&grid, &block, &shared, &stream), cudaErrorMissingConfiguration);
}

TEST_F(RegistrationTest, KernelsTakeSimulatedTime) {
  cudaEvent_t start = nullptr, stop = nullptr;
  ASSERT_EQ(cudaEventCreate(&start), cudaSuccess);
  ASSERT_EQ(cudaEventCreate(&stop), cudaSuccess);
  ASSERT_EQ(launchAdd(1, 0), cudaSuccess);  // loaded
  cudaEventRecord(start);
  ASSERT_EQ(launchAdd(64, 0), cudaSuccess);
  cudaEventRecord(stop);
  float milliseconds = 0;
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, start, stop), cudaSuccess);
  // Two warps of some ten instructions on four schedulers at a nanosecond a cycle.
  EXPECT_GT(milliseconds, 2e-6F);
  EXPECT_LT(milliseconds, 1e-4F);
}

}  // namespace
