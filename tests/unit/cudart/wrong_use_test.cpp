// What wrong use gives: the codes that CUDA gives for it (CUDA Runtime API reference, "cudaError"), and which of them stay.
#include <functional>
#include <string>

#include "library_fixture.hpp"

namespace {

// Calls itself `depth` times, with 64 bytes of its own in each call.
constexpr char kRecursion[] = R"(
.func deeper(.param .u32 depth)
{
  .local .align 4 .b8 own[64];
  .reg .u32 %r<2>;
  .reg .pred %p<1>;
  ld.param.u32 %r0, [depth];
  st.local.u32 [own], %r0;
  setp.eq.u32 %p0, %r0, 0;
  @%p0 ret;
  sub.u32 %r1, %r0, 1;
  { .param .u32 next;
    st.param.u32 [next], %r1;
    call deeper, (next); }
  ld.local.u32 %r0, [own];
  ret;
}
.visible .entry recurse(.param .u32 depth)
{
  .reg .u32 %r<1>;
  ld.param.u32 %r0, [depth];
  { .param .u32 first;
    st.param.u32 [first], %r0;
    call deeper, (first); }
  ret;
}
)";

// `live` values loaded before the first is used, so that as many registers are needed at once; `write`: a store through the argument.
std::string manyRegisters(int live) {
  std::string text = ".visible .entry hungry(.param .u64 data)\n{\n  .reg .u32 %r<" + std::to_string(live + 1) +
                     ">;\n  .reg .u64 %d<1>;\n  ld.param.u64 %d0, [data];\n";
  const auto line = [&](const std::string& instruction) { text += "  " + instruction + ";\n"; };
  for (int i = 0; i < live; ++i) line("ld.volatile.global.u32 %r" + std::to_string(i) + ", [%d0+" + std::to_string(4 * i) + "]");
  for (int i = 0; i < live; ++i) line("st.volatile.global.u32 [%d0+" + std::to_string(4 * (live - 1 - i)) + "], %r" + std::to_string(i));
  return text + "  ret;\n}\n";
}

const std::string kKernels = moduleOf(R"(
.visible .entry nothing()
{
  ret;
}
.visible .entry bounded() .maxntid 64, 1, 1
{
  ret;
}
.visible .entry shares()
{
  .shared .align 4 .b8 buffer[40960];
  .reg .u32 %r<1>;
  mov.u32 %r0, 0;
  st.shared.u32 [buffer], %r0;
  ret;
}
.visible .entry store(.param .u64 to)
{
  .reg .u64 %d<1>;
  ld.param.u64 %d0, [to];
  st.global.u32 [%d0], 1;
  ret;
}
)") + manyRegisters(120) + kRecursion;

class WrongUse : public LibraryTest {
 protected:
  void SetUp() override {
    LibraryTest::SetUp();
    ASSERT_EQ(load(kKernels), cudaSuccess);
  }
  cudaError_t launchNothing(dim3 grid, dim3 block, size_t sharedBytes = 0, cudaStream_t stream = nullptr) {
    return launch(kernel("nothing"), grid, block, sharedBytes, stream);
  }
  cudaError_t launchWithPointer(const char* name, void* pointer, int threads = 1) {
    void* arguments[] = {&pointer};
    return cudaLaunchKernel(static_cast<const void*>(kernel(name)), dim3(1), dim3(threads), arguments, 0, nullptr);
  }
  // Why is said, also when WARPWRIGHT_QUIET is set, as it is here.
  static void expectReason(const std::string& reason, cudaError_t expected, const std::function<cudaError_t()>& call) {
    ::testing::internal::CaptureStderr();
    EXPECT_EQ(call(), expected) << reason;
    const std::string said = ::testing::internal::GetCapturedStderr();
    EXPECT_TRUE(said.starts_with("warpwright: ") && said.find(reason) != std::string::npos) << reason << ": " << said;
    cudaGetLastError();
  }
  // The error is the last one, once; nothing stays.
  void expectPassing(cudaError_t expected, cudaError_t got) {
    EXPECT_STREQ(cudaGetErrorName(got), cudaGetErrorName(expected));
    EXPECT_EQ(cudaGetLastError(), expected);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
    EXPECT_EQ(launchNothing(dim3(1), dim3(1)), cudaSuccess);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  }
};

TEST_F(WrongUse, LaunchesOfNoThreadsOrBlocks) {
  expectPassing(cudaErrorInvalidConfiguration, launchNothing(dim3(1), dim3(0)));
  expectPassing(cudaErrorInvalidConfiguration, launchNothing(dim3(1), dim3(32, 0)));
  expectPassing(cudaErrorInvalidConfiguration, launchNothing(dim3(0), dim3(32)));
}

TEST_F(WrongUse, LaunchesOfTooManyThreadsOrBlocks) {
  expectPassing(cudaErrorInvalidConfiguration, launchNothing(dim3(1), dim3(1025)));
  expectPassing(cudaErrorInvalidConfiguration, launchNothing(dim3(1), dim3(32, 33)));
  expectPassing(cudaErrorInvalidConfiguration, launchNothing(dim3(1), dim3(1, 1, 65)));
  expectPassing(cudaErrorInvalidConfiguration, launchNothing(dim3(1, 65536), dim3(1)));
}

TEST_F(WrongUse, TooMuchSharedMemory) {
  expectPassing(cudaErrorInvalidValue, launchNothing(dim3(1), dim3(1), 49153));
  // 40,960 of 49,152 bytes are static.
  EXPECT_EQ(launch(kernel("shares"), dim3(1), dim3(1), 8192), cudaSuccess);
  expectPassing(cudaErrorInvalidValue, launch(kernel("shares"), dim3(1), dim3(1), 8193));
}

TEST_F(WrongUse, TheReasonIsSaidThoughQuiet) {
  void* device = nullptr;
  int host = 0;
  cudaArray_t array = nullptr;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
  ASSERT_EQ(cudaMalloc(&device, 4), cudaSuccess);
  ASSERT_EQ(cudaMallocArray(&array, &format, 8, 4), cudaSuccess);
  cudaResourceDesc onArray{};
  onArray.resType = cudaResourceTypeArray;
  onArray.res.array.array = array;
  const auto texture = [&](const cudaTextureDesc& description, const cudaResourceViewDesc* view) {
    cudaTextureObject_t made = 0;
    return cudaCreateTextureObject(&made, &onArray, &description, view);
  };
  expectReason("runs past the end", cudaErrorInvalidValue, [&] { return cudaMemcpy(device, &host, 8, cudaMemcpyHostToDevice); });
  expectReason("not device memory", cudaErrorInvalidValue, [&] { return cudaMemset(&host, 0, 4); });
  expectReason("a block of 1025 x 1 x 1 threads", cudaErrorInvalidConfiguration, [&] { return launchNothing(dim3(1), dim3(1025)); });
  expectReason("bytes of dynamic shared memory", cudaErrorInvalidValue, [&] { return launchNothing(dim3(1), dim3(1), 49153); });
  expectReason("textures in sRGB", cudaErrorNotSupported, [&] { return texture({.sRGB = 1}, nullptr); });
  const cudaResourceViewDesc view{.format = static_cast<cudaResourceViewFormat>(cudaResViewFormatNone + 1)};
  expectReason("views of a texture", cudaErrorNotSupported, [&] { return texture({}, &view); });
  expectReason("cudaArraySurfaceLoadStore", cudaErrorInvalidValue, [&] {
    cudaSurfaceObject_t surface = 0;
    return cudaCreateSurfaceObject(&surface, &onArray);
  });
  expectReason("damaged fat binary", cudaErrorInvalidKernelImage, [] {
    // A container's magic number, then a version that there is not.
    const unsigned char damaged[64] = {0x50, 0xed, 0x55, 0xba, 0x63, 0x63};
    cudaLibrary_t none = nullptr;
    return cudaLibraryLoadData(&none, damaged, nullptr, nullptr, 0, nullptr, nullptr, 0);
  });
}

TEST_F(WrongUse, MoreRegistersThanThereAre) {
  void* data = nullptr;
  ASSERT_EQ(cudaMalloc(&data, 1024), cudaSuccess);
  cudaFuncAttributes attributes;
  ASSERT_EQ(cudaFuncGetAttributes(&attributes, static_cast<const void*>(kernel("hungry"))), cudaSuccess);
  EXPECT_GE(attributes.numRegs, 120);
  EXPECT_LT(attributes.maxThreadsPerBlock, 1024);
  // 65,536 registers: 1,024 threads with 120 would need 122,880.
  expectPassing(cudaErrorLaunchOutOfResources, launchWithPointer("hungry", data, 1024));
  EXPECT_EQ(launchWithPointer("hungry", data, 256), cudaSuccess);
}

TEST_F(WrongUse, MoreThreadsThanTheKernelWasCompiledFor) {
  EXPECT_EQ(launch(kernel("bounded"), dim3(1), dim3(64)), cudaSuccess);
  expectPassing(cudaErrorInvalidConfiguration, launch(kernel("bounded"), dim3(1), dim3(65)));
}

TEST_F(WrongUse, UnknownKernelsAndSymbols) {
  static int notAKernel, notASymbol;
  const int value = 1;
  void* address = nullptr;
  size_t size = 0;
  const auto launchAt = [](const void* host) { return cudaLaunchKernel(host, dim3(1), dim3(1), nullptr, 0, nullptr); };
  expectPassing(cudaErrorInvalidDeviceFunction, launchAt(&notAKernel));
  expectPassing(cudaErrorInvalidDeviceFunction, launchAt(nullptr));
  expectPassing(cudaErrorInvalidSymbol, cudaMemcpyToSymbol(notASymbol, &value, 4));
  expectPassing(cudaErrorInvalidSymbol, cudaGetSymbolAddress(&address, notASymbol));
  expectPassing(cudaErrorInvalidSymbol, cudaGetSymbolSize(&size, notASymbol));
}

TEST_F(WrongUse, FreedMemory) {
  void* device = nullptr;
  int host = 0;
  ASSERT_EQ(cudaMalloc(&device, 4), cudaSuccess);
  ASSERT_EQ(cudaFree(device), cudaSuccess);
  expectPassing(cudaErrorInvalidValue, cudaFree(device));
  expectPassing(cudaErrorInvalidValue, cudaMemcpy(device, &host, 4, cudaMemcpyHostToDevice));
  expectPassing(cudaErrorInvalidValue, cudaMemcpy(&host, device, 4, cudaMemcpyDeviceToHost));
  expectPassing(cudaErrorInvalidValue, cudaMemset(device, 0, 4));
  void* pinned = nullptr;
  ASSERT_EQ(cudaMallocHost(&pinned, 4), cudaSuccess);
  expectPassing(cudaErrorInvalidValue, cudaFree(pinned));
  ASSERT_EQ(cudaFreeHost(pinned), cudaSuccess);
  expectPassing(cudaErrorInvalidValue, cudaFreeHost(pinned));
}

TEST_F(WrongUse, CopiesInTheWrongDirection) {
  void* device = nullptr;
  int host = 0;
  ASSERT_EQ(cudaMalloc(&device, 4), cudaSuccess);
  expectPassing(cudaErrorInvalidValue, cudaMemcpy(&host, device, 4, cudaMemcpyHostToDevice));
  expectPassing(cudaErrorInvalidValue, cudaMemcpy(device, &host, 4, cudaMemcpyDeviceToDevice));
  expectPassing(cudaErrorInvalidMemcpyDirection, cudaMemcpy(device, &host, 4, static_cast<cudaMemcpyKind>(5)));
}

TEST_F(WrongUse, PitchesThatAreTooSmall) {
  char host[64];
  void* device = nullptr;
  size_t pitch = 0;
  ASSERT_EQ(cudaMallocPitch(&device, &pitch, 16, 4), cudaSuccess);
  expectPassing(cudaErrorInvalidPitchValue, cudaMemcpy2D(device, 15, host, 16, 16, 4, cudaMemcpyHostToDevice));
  expectPassing(cudaErrorInvalidPitchValue, cudaMemcpy2D(device, pitch, host, 15, 16, 4, cudaMemcpyHostToDevice));
}

TEST_F(WrongUse, DevicesThatAreNotThere) {
  int value = 0;
  cudaDeviceProp properties;
  expectPassing(cudaErrorInvalidDevice, cudaSetDevice(1));
  expectPassing(cudaErrorInvalidDevice, cudaSetDevice(-1));
  expectPassing(cudaErrorInvalidDevice, cudaGetDeviceProperties(&properties, 1));
  expectPassing(cudaErrorInvalidDevice, cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 1));
}

TEST_F(WrongUse, StreamsAndEventsThatAreGone) {
  cudaStream_t stream = nullptr;
  cudaEvent_t event = nullptr, never = nullptr;
  float milliseconds = 0;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  ASSERT_EQ(cudaEventCreate(&event), cudaSuccess);
  ASSERT_EQ(cudaEventCreate(&never), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(event), cudaSuccess);
  expectPassing(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&milliseconds, event, never));
  ASSERT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  ASSERT_EQ(cudaEventDestroy(event), cudaSuccess);
  expectPassing(cudaErrorInvalidResourceHandle, cudaStreamSynchronize(stream));
  expectPassing(cudaErrorInvalidResourceHandle, launchNothing(dim3(1), dim3(1), 0, stream));
  expectPassing(cudaErrorInvalidResourceHandle, cudaEventRecord(event));
  expectPassing(cudaErrorInvalidResourceHandle, cudaEventSynchronize(event));
  expectPassing(cudaErrorInvalidResourceHandle, cudaEventDestroy(event));
  expectPassing(cudaErrorInvalidResourceHandle, cudaStreamDestroy(stream));
}

// An error inside a kernel comes from the next call that waits, then from every call, until the device is reset.
TEST_F(WrongUse, AKernelThatWritesFreedMemory) {
  void *device = nullptr, *other = nullptr;
  ASSERT_EQ(cudaMalloc(&device, 4), cudaSuccess);
  ASSERT_EQ(cudaFree(device), cudaSuccess);
  EXPECT_EQ(launchWithPointer("store", device), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaGetLastError(), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaMalloc(&other, 4), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaPeekAtLastError(), cudaErrorIllegalAddress);
  ASSERT_EQ(cudaDeviceReset(), cudaSuccess);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_EQ(launchNothing(dim3(1), dim3(1)), cudaSuccess);
}

TEST_F(WrongUse, RecursionBeyondTheStackThatTheProgramHasAskedFor) {
  const auto recurse = [this](unsigned int depth) {
    void* arguments[] = {&depth};
    EXPECT_EQ(cudaLaunchKernel(static_cast<const void*>(kernel("recurse")), dim3(1), dim3(1), arguments, 0, nullptr), cudaSuccess);
    return cudaDeviceSynchronize();
  };
  EXPECT_EQ(recurse(100), cudaSuccess) << "nothing is asked for";
  ASSERT_EQ(cudaDeviceSetLimit(cudaLimitStackSize, 16384), cudaSuccess);
  EXPECT_EQ(recurse(100), cudaSuccess);
  ASSERT_EQ(cudaDeviceSetLimit(cudaLimitStackSize, 4096), cudaSuccess);
  EXPECT_EQ(recurse(10), cudaSuccess);
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(recurse(100), cudaErrorHardwareStackError);
  const std::string text = ::testing::internal::GetCapturedStderr();
  EXPECT_NE(text.find("a thread has 4096 bytes"), std::string::npos) << text;
  EXPECT_NE(text.find("cudaLimitStackSize"), std::string::npos) << text;
  ASSERT_EQ(cudaDeviceReset(), cudaSuccess);
  EXPECT_EQ(recurse(100), cudaSuccess) << "a reset forgets it";
  expectPassing(cudaErrorInvalidValue, cudaDeviceSetLimit(cudaLimitStackSize, 512 * 1024 + 1));
}

TEST_F(WrongUse, AMisalignedStore) {
  char* device = nullptr;
  ASSERT_EQ(cudaMalloc(&device, 8), cudaSuccess);
  EXPECT_EQ(launchWithPointer("store", device + 1), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorMisalignedAddress);
  EXPECT_EQ(cudaFree(device), cudaErrorMisalignedAddress);
}

}  // namespace
