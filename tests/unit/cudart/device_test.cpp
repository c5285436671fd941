// The properties of machine.toml, as programs read them.
#include "api_fixture.hpp"

namespace {

using DeviceTest = ApiTest;

int attribute(cudaDeviceAttr which) {
  int value = -1;
  EXPECT_EQ(cudaDeviceGetAttribute(&value, which, 0), cudaSuccess);
  return value;
}

TEST_F(DeviceTest, ThereIsOne) {
  int count = 0, current = -1, can = -1;
  EXPECT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
  EXPECT_EQ(count, 1);
  EXPECT_EQ(cudaSetDevice(0), cudaSuccess);
  EXPECT_EQ(cudaSetDevice(1), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaGetDevice(&current), cudaSuccess);
  EXPECT_EQ(current, 0);
  EXPECT_EQ(cudaDeviceCanAccessPeer(&can, 0, 0), cudaSuccess);
  EXPECT_EQ(can, 0);
}

TEST_F(DeviceTest, Properties) {
  cudaDeviceProp p{};
  ASSERT_EQ(cudaGetDeviceProperties(&p, 0), cudaSuccess);
  EXPECT_EQ(p.multiProcessorCount, 3);
  EXPECT_EQ(p.major, 7);
  EXPECT_EQ(p.minor, 0);
  EXPECT_EQ(p.clockRate, 1'000'000);
  EXPECT_EQ(p.memoryClockRate, 1'000'000);
  EXPECT_EQ(p.memoryBusWidth, 64);
  EXPECT_EQ(p.totalGlobalMem, size_t{1} << 28);
  EXPECT_EQ(p.warpSize, 32);
  EXPECT_EQ(p.maxThreadsPerBlock, 1024);
  EXPECT_EQ(p.sharedMemPerBlock, 48u * 1024);
  EXPECT_EQ(p.sharedMemPerBlockOptin, 96u * 1024);
  EXPECT_EQ(cudaGetDeviceProperties(&p, 1), cudaErrorInvalidDevice);
}

TEST_F(DeviceTest, AttributesAgreeWithProperties) {
  cudaDeviceProp p{};
  ASSERT_EQ(cudaGetDeviceProperties(&p, 0), cudaSuccess);
  EXPECT_EQ(attribute(cudaDevAttrMultiProcessorCount), p.multiProcessorCount);
  EXPECT_EQ(attribute(cudaDevAttrMaxGridDimX), p.maxGridSize[0]);
  EXPECT_EQ(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin), static_cast<int>(p.sharedMemPerBlockOptin));
  EXPECT_EQ(attribute(cudaDevAttrComputeCapabilityMajor), p.major);
  EXPECT_EQ(attribute(cudaDevAttrCooperativeLaunch), 1);
  int value = 0;
  EXPECT_EQ(cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(9999), 0), cudaErrorInvalidValue);
}

TEST_F(DeviceTest, LimitsAreRemembered) {
  size_t value = 0;
  EXPECT_EQ(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 24), cudaSuccess);
  EXPECT_EQ(cudaDeviceGetLimit(&value, cudaLimitMallocHeapSize), cudaSuccess);
  EXPECT_EQ(value, size_t{1} << 24);
  EXPECT_EQ(cudaDeviceSetLimit(static_cast<cudaLimit>(77), 1), cudaErrorUnsupportedLimit);
}

TEST_F(DeviceTest, ChannelsOfVectorTypes) {
  const cudaChannelFormatDesc f = cudaCreateChannelDesc<float2>();
  EXPECT_EQ(f.x, 32);
  EXPECT_EQ(f.y, 32);
  EXPECT_EQ(f.z, 0);
  EXPECT_EQ(f.f, cudaChannelFormatKindFloat);
  EXPECT_EQ(cudaCreateChannelDesc<uchar4>().w, 8);
  EXPECT_EQ(cudaCreateChannelDesc<unsigned short>().f, cudaChannelFormatKindUnsigned);
}

}  // namespace
