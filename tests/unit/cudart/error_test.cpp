#include <string>

#include "api_fixture.hpp"

namespace {

using ErrorTest = ApiTest;

// Values, names and texts that programs compare with; from the CUDA Runtime API reference.
TEST_F(ErrorTest, NamesAndTexts) {
  EXPECT_STREQ(cudaGetErrorName(cudaSuccess), "cudaSuccess");
  EXPECT_STREQ(cudaGetErrorString(cudaSuccess), "no error");
  EXPECT_STREQ(cudaGetErrorName(static_cast<cudaError_t>(700)), "cudaErrorIllegalAddress");
  EXPECT_STREQ(cudaGetErrorString(cudaErrorIllegalAddress), "an illegal memory access was encountered");
  EXPECT_STREQ(cudaGetErrorName(static_cast<cudaError_t>(2)), "cudaErrorMemoryAllocation");
  EXPECT_STREQ(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory");
  EXPECT_STREQ(cudaGetErrorString(cudaErrorInvalidValue), "invalid argument");
  EXPECT_STREQ(cudaGetErrorString(static_cast<cudaError_t>(5555)), "unrecognized error code");
}

TEST_F(ErrorTest, EveryErrorHasANameAndAText) {
  for (const auto& [code, name, text] : {
#define WW_CUDA_ERROR(name, value, text) std::tuple(name, #name, text),
#include "cuda_error_list.h"
       }) {
    EXPECT_STREQ(cudaGetErrorName(code), name);
    EXPECT_STREQ(cudaGetErrorString(code), text);
    EXPECT_GT(std::string(text).size(), 3u);
  }
}

TEST_F(ErrorTest, TheLastErrorIsTakenOnce) {
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_EQ(cudaMalloc(static_cast<void**>(nullptr), 4), cudaErrorInvalidValue);
  EXPECT_EQ(cudaPeekAtLastError(), cudaErrorInvalidValue);
  void* pointer = nullptr;
  EXPECT_EQ(cudaMalloc(&pointer, 4), cudaSuccess);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST_F(ErrorTest, UnsupportedCallsSaySoOnce) {
  const cudaMipmappedArray_t none = nullptr;
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(cudaFreeMipmappedArray(none), cudaErrorNotSupported);
  EXPECT_NE(::testing::internal::GetCapturedStderr().find("calls cudaFreeMipmappedArray, which is not supported"), std::string::npos);
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(cudaFreeMipmappedArray(none), cudaErrorNotSupported);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(cudaGetLastError(), cudaErrorNotSupported);
}

TEST_F(ErrorTest, UnknownKernels) {
  EXPECT_EQ(cudaLaunchKernel(reinterpret_cast<const void*>(&cudaGetErrorName), dim3(1), dim3(1), nullptr, 0, nullptr),
            cudaErrorInvalidDeviceFunction);
  cudaFuncAttributes attributes;
  EXPECT_EQ(cudaFuncGetAttributes(&attributes, static_cast<const void*>(&attributes)), cudaErrorInvalidDeviceFunction);
}

}  // namespace
