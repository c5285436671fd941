// Code that the program loads itself, old launches, the driver's functions by name.
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

#include "library_fixture.hpp"
#include "start_up_code.hpp"

namespace {

// put: *out = value + base.
const std::string kPut = moduleOf(R"(
.visible .global .align 4 .u32 base = 100;
.visible .entry put(.param .u32 value, .param .u64 out)
{
  .reg .u32 %r<4>;
  .reg .u64 %d<2>;
  ld.param.u32 %r0, [value];
  ld.param.u64 %d0, [out];
  ld.global.u32 %r1, [base];
  add.u32 %r2, %r0, %r1;
  st.global.u32 [%d0], %r2;
  ret;
}
.visible .entry nothing()
{
  ret;
}
)");

class Libraries : public LibraryTest {
 protected:
  void SetUp() override {
    LibraryTest::SetUp();
    ASSERT_EQ(load(kPut), cudaSuccess);
    ASSERT_EQ(cudaMalloc(&out, 4), cudaSuccess);
  }
  cudaError_t put(int value) {
    void* arguments[] = {&value, &out};
    return cudaLaunchKernel(static_cast<const void*>(kernel("put")), dim3(1), dim3(1), arguments, 0, nullptr);
  }
  int result() {
    int value = -1;
    EXPECT_EQ(cudaMemcpy(&value, out, 4, cudaMemcpyDeviceToHost), cudaSuccess);
    return value;
  }
  int* out = nullptr;
};

TEST_F(Libraries, KernelsAreLaunchedByTheirHandles) {
  EXPECT_EQ(put(7), cudaSuccess);
  EXPECT_EQ(result(), 107);
  EXPECT_EQ(kernel("put"), kernel("put"));
  const char* name = nullptr;
  EXPECT_EQ(cudaFuncGetName(&name, static_cast<const void*>(kernel("put"))), cudaSuccess);
  EXPECT_STREQ(name, "put");
}

TEST_F(Libraries, FindWhatIsThereAndNothingElse) {
  unsigned int count = 0;
  EXPECT_EQ(cudaLibraryGetKernelCount(&count, library), cudaSuccess);
  EXPECT_EQ(count, 2u);
  std::vector<cudaKernel_t> kernels(2);
  EXPECT_EQ(cudaLibraryEnumerateKernels(kernels.data(), 2, library), cudaSuccess);
  EXPECT_NE(std::find(kernels.begin(), kernels.end(), kernel("nothing")), kernels.end());
  cudaKernel_t missing = nullptr;
  EXPECT_EQ(cudaLibraryGetKernel(&missing, library, "missing"), cudaErrorSymbolNotFound);
  void* address = nullptr;
  size_t bytes = 0;
  EXPECT_EQ(cudaLibraryGetGlobal(&address, &bytes, library, "base"), cudaSuccess);
  EXPECT_EQ(bytes, 4u);
  EXPECT_EQ(cudaMemset(address, 0, 4), cudaSuccess);
  EXPECT_EQ(put(7), cudaSuccess);
  EXPECT_EQ(result(), 7);
  EXPECT_EQ(cudaLibraryGetManaged(&address, &bytes, library, "base"), cudaErrorSymbolNotFound);
  EXPECT_EQ(cudaLibraryGetGlobal(&address, &bytes, library, "missing"), cudaErrorSymbolNotFound);
}

TEST_F(Libraries, AreGoneWhenUnloaded) {
  const cudaKernel_t before = kernel("nothing");
  EXPECT_EQ(cudaLibraryUnload(library), cudaSuccess);
  EXPECT_EQ(cudaLibraryUnload(library), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(launch(before, dim3(1), dim3(1)), cudaErrorInvalidDeviceFunction);
  library = nullptr;
}

TEST_F(Libraries, OutliveAReset) {
  const cudaKernel_t before = kernel("nothing");
  ASSERT_EQ(cudaDeviceReset(), cudaSuccess);
  EXPECT_EQ(launch(before, dim3(1), dim3(1)), cudaSuccess);
}

TEST_F(Libraries, TheRegisterBoundIsKept) {
  cudaJitOption option = cudaJitMaxRegisters;
  void* value = reinterpret_cast<void*>(16);
  cudaLibrary_t bounded = nullptr;
  ASSERT_EQ(cudaLibraryLoadData(&bounded, kPut.c_str(), &option, &value, 1, nullptr, nullptr, 0), cudaSuccess);
  cudaKernel_t put = nullptr;
  ASSERT_EQ(cudaLibraryGetKernel(&put, bounded, "put"), cudaSuccess);
  cudaFuncAttributes attributes;
  ASSERT_EQ(cudaFuncGetAttributes(&attributes, static_cast<const void*>(put)), cudaSuccess);
  EXPECT_LE(attributes.numRegs, 16);
  EXPECT_EQ(cudaLibraryUnload(bounded), cudaSuccess);
}

TEST_F(Libraries, FromAFile) {
  const auto file = std::filesystem::temp_directory_path() / ("warpwright_library_test_" + std::to_string(getpid()) + ".ptx");
  std::ofstream(file) << kPut;
  cudaLibrary_t second = nullptr;
  EXPECT_EQ(cudaLibraryLoadFromFile(&second, file.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0), cudaSuccess);
  EXPECT_EQ(cudaLibraryUnload(second), cudaSuccess);
  std::filesystem::remove(file);
  EXPECT_EQ(cudaLibraryLoadFromFile(&second, file.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0), cudaErrorFileNotFound);
}

// A container (magic, version 1, header of 16 bytes) with one entry: kind 2, machine code for sm_75.
std::vector<unsigned char> machineCodeAlone() {
  constexpr unsigned kEntry = 64, kPayload = 8;
  std::vector<unsigned char> bytes(16 + kEntry + kPayload + 16);
  const auto put = [&](size_t at, unsigned long long value, size_t size) { std::memcpy(bytes.data() + at, &value, size); };
  put(0, 0xba55ed50, 4);
  put(4, 1, 2);
  put(6, 16, 2);
  put(8, kEntry + kPayload, 8);
  put(16, 2, 2);
  put(18, 0x0101, 2);
  put(20, kEntry, 4);
  put(24, kPayload, 8);
  put(16 + 0x1c, 75, 4);
  return bytes;
}

TEST_F(Libraries, WrongCodeHasErrorsOfItsOwn) {
  cudaLibrary_t wrong = nullptr;
  const auto loadData = [&](const void* code) { return cudaLibraryLoadData(&wrong, code, nullptr, nullptr, 0, nullptr, nullptr, 0); };
  EXPECT_EQ(loadData(moduleOf(".visible .entry k()\n{\n  frobnicate;\n}\n").c_str()), cudaErrorInvalidPtx);
  // A container's magic number, then a version that there is not.
  const unsigned char damaged[64] = {0x50, 0xed, 0x55, 0xba, 0x63, 0x63};
  EXPECT_EQ(loadData(damaged), cudaErrorInvalidKernelImage);
  EXPECT_EQ(loadData(nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(loadData(machineCodeAlone().data()), cudaErrorNoKernelImageForDevice);
}

// As a program's start-up code registers it: the error comes from the first use, every time, and says what to do.
TEST_F(Libraries, RegisteredMachineCodeWithoutPtx) {
  static const auto code = machineCodeAlone();
  static struct {
    unsigned magic = 0x466243b1, version = 1;
    const void* data = code.data();
    void* second = nullptr;
  } wrapper;
  static char stub, variable[4];
  void** const handle = __cudaRegisterFatBinary(&wrapper);
  __cudaRegisterFunction(handle, &stub, nullptr, "kernel", -1, nullptr, nullptr, nullptr, nullptr, nullptr);
  __cudaRegisterVar(handle, variable, nullptr, "variable", 0, sizeof variable, 0, 0);
  const auto launchStub = [] { return cudaLaunchKernel(static_cast<const void*>(&stub), dim3(1), dim3(1), nullptr, 0, nullptr); };
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(launchStub(), cudaErrorNoKernelImageForDevice);
  const std::string said = ::testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("machine code for sm_75 without PTX"), std::string::npos) << said;
  EXPECT_NE(said.find("-gencode arch=compute_75,code=compute_75"), std::string::npos) << said;
  EXPECT_EQ(launchStub(), cudaErrorNoKernelImageForDevice);
  int value = 0;
  EXPECT_EQ(cudaMemcpyFromSymbol(&value, variable, 4), cudaErrorNoKernelImageForDevice);
  EXPECT_EQ(cudaGetLastError(), cudaErrorNoKernelImageForDevice);
  EXPECT_EQ(put(1), cudaSuccess) << "the error of one module is not another's";
}

TEST_F(Libraries, LaunchesOfBeforeCuda7) {
  const auto* const host = static_cast<const void*>(kernel("put"));
  const int value = 42;
  ASSERT_EQ(cudaConfigureCall(dim3(1), dim3(1), 0, nullptr), cudaSuccess);
  // The parameters: an int at 0, a pointer at 8.
  EXPECT_EQ(cudaSetupArgument(&value, sizeof value, 0), cudaSuccess);
  EXPECT_EQ(cudaSetupArgument(&out, sizeof out, 8), cudaSuccess);
  EXPECT_EQ(cudaLaunch(host), cudaSuccess);
  EXPECT_EQ(result(), 142);
  EXPECT_EQ(cudaLaunch(host), cudaErrorMissingConfiguration);
  EXPECT_EQ(cudaSetupArgument(&value, sizeof value, 0), cudaErrorMissingConfiguration);
  ASSERT_EQ(cudaConfigureCall(dim3(1), dim3(1), 0, nullptr), cudaSuccess);
  EXPECT_EQ(cudaSetupArgument(&value, sizeof value, size_t{1} << 40), cudaErrorInvalidValue);
  EXPECT_EQ(cudaLaunch(host), cudaErrorInvalidValue) << "an argument is missing";
}

TEST_F(Libraries, NothingCaptures) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusActive;
  unsigned long long id = 0;
  EXPECT_EQ(cudaStreamGetCaptureInfo(nullptr, &status, &id), cudaSuccess);
  EXPECT_EQ(status, cudaStreamCaptureStatusNone);
  EXPECT_EQ(cudaStreamGetCaptureInfo_v2(nullptr, nullptr, &id), cudaErrorInvalidValue);
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  EXPECT_EQ(cudaThreadExchangeStreamCaptureMode(&mode), cudaSuccess);
  EXPECT_EQ(mode, cudaStreamCaptureModeGlobal);
  EXPECT_EQ(cudaThreadExchangeStreamCaptureMode(&mode), cudaSuccess);
  EXPECT_EQ(mode, cudaStreamCaptureModeRelaxed);
}

TEST_F(Libraries, TheDriversFunctionsByName) {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult status = cudaDriverEntryPointVersionNotSufficent;
  ASSERT_EQ(cudaGetDriverEntryPoint("cuDeviceGetCount", &function, cudaEnableDefault, &status), cudaSuccess);
  EXPECT_EQ(status, cudaDriverEntryPointSuccess);
  int count = 0;
  // The device is there already: cuInit has nothing left to do but to be called.
  void* init = nullptr;
  ASSERT_EQ(cudaGetDriverEntryPoint("cuInit", &init, cudaEnableDefault), cudaSuccess);
  EXPECT_EQ(reinterpret_cast<int (*)(unsigned)>(init)(0), 0);
  EXPECT_EQ(reinterpret_cast<int (*)(int*)>(function)(&count), 0);
  EXPECT_EQ(count, 1);
  EXPECT_EQ(cudaGetDriverEntryPoint("cuNothing", &function, cudaEnableDefault, &status), cudaSuccess);
  EXPECT_EQ(status, cudaDriverEntryPointSymbolNotFound);
  EXPECT_EQ(function, nullptr);
  EXPECT_EQ(cudaGetDriverEntryPoint("cuNothing", &function, cudaEnableDefault), cudaErrorSymbolNotFound);
  EXPECT_EQ(cudaGetDriverEntryPointByVersion("cuEventElapsedTime_v2", &function, 12000, cudaEnableDefault, &status), cudaSuccess);
  EXPECT_EQ(status, cudaDriverEntryPointVersionNotSufficent);
  EXPECT_EQ(cudaGetDriverEntryPoint("cuInit", &function, 3), cudaErrorInvalidValue);
  void *legacy = nullptr, *perThread = nullptr;
  EXPECT_EQ(cudaGetDriverEntryPoint("cuLaunchKernel", &legacy, cudaEnableLegacyStream), cudaSuccess);
  EXPECT_EQ(cudaGetDriverEntryPoint("cuLaunchKernel", &perThread, cudaEnablePerThreadDefaultStream), cudaSuccess);
  EXPECT_NE(legacy, perThread);
}

}  // namespace
