#include <numeric>
#include <vector>

#include "api_fixture.hpp"

namespace {

using MemoryTest = ApiTest;

std::vector<int> numbers(int count) {
  std::vector<int> values(count);
  std::iota(values.begin(), values.end(), 1);
  return values;
}

TEST_F(MemoryTest, RoundTrip) {
  const auto source = numbers(1000);
  std::vector<int> back(1000);
  int *first = nullptr, *second = nullptr;
  ASSERT_EQ(cudaMalloc(&first, 4000), cudaSuccess);
  ASSERT_EQ(cudaMalloc(&second, 4000), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(first, source.data(), 4000, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(second, first, 4000, cudaMemcpyDeviceToDevice), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(back.data(), second, 4000, cudaMemcpyDefault), cudaSuccess);
  EXPECT_EQ(back, source);
  EXPECT_EQ(cudaFree(first), cudaSuccess);
  EXPECT_EQ(cudaFree(second), cudaSuccess);
}

TEST_F(MemoryTest, AllocationErrors) {
  void* pointer = &pointer;
  EXPECT_EQ(cudaMalloc(&pointer, 0), cudaSuccess);
  EXPECT_EQ(pointer, nullptr);
  EXPECT_EQ(cudaMalloc(static_cast<void**>(nullptr), 16), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMalloc(&pointer, size_t{1} << 50), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaFree(nullptr), cudaSuccess);
  int local = 0;
  EXPECT_EQ(cudaFree(&local), cudaErrorInvalidValue);
  ASSERT_EQ(cudaMalloc(&pointer, 64), cudaSuccess);
  EXPECT_EQ(cudaFree(static_cast<char*>(pointer) + 4), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFreeHost(pointer), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(pointer), cudaSuccess);
  EXPECT_EQ(cudaFree(pointer), cudaErrorInvalidValue);
}

TEST_F(MemoryTest, CopiesKnowTheEndsOfAllocations) {
  char host[128] = {};
  char* device = nullptr;
  ASSERT_EQ(cudaMalloc(&device, 64), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(device, host, 64, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(device, host, 65, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(device + 60, host, 5, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(host, device + 60, 4, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(cudaMemset(device, 0, 65), cudaErrorInvalidValue);
}

TEST_F(MemoryTest, CopiesKnowTheirDirection) {
  char host[16] = {};
  char* device = nullptr;
  ASSERT_EQ(cudaMalloc(&device, 16), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(host, device, 16, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(device, host, 16, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(device, host, 16, static_cast<cudaMemcpyKind>(9)), cudaErrorInvalidMemcpyDirection);
  EXPECT_EQ(cudaMemcpy(nullptr, host, 16, cudaMemcpyDefault), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(device, host, 0, cudaMemcpyHostToDevice), cudaSuccess);
}

TEST_F(MemoryTest, Pitched2D) {
  constexpr size_t kWidth = 10, kHeight = 7;
  std::vector<int> source = numbers(kWidth * kHeight), back(kWidth * kHeight);
  int* device = nullptr;
  size_t pitch = 0;
  ASSERT_EQ(cudaMallocPitch(&device, &pitch, kWidth * sizeof(int), kHeight), cudaSuccess);
  EXPECT_EQ(pitch % 512, 0u);
  EXPECT_GE(pitch, kWidth * sizeof(int));
  EXPECT_EQ(cudaMemcpy2D(device, pitch, source.data(), kWidth * 4, kWidth * 4, kHeight, cudaMemcpyHostToDevice), cudaSuccess);
  int third = 0;
  EXPECT_EQ(cudaMemcpy(&third, reinterpret_cast<char*>(device) + 3 * pitch + 8, 4, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(third, source[3 * kWidth + 2]);
  EXPECT_EQ(cudaMemcpy2D(back.data(), kWidth * 4, device, pitch, kWidth * 4, kHeight, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(back, source);
  EXPECT_EQ(cudaMemcpy2D(back.data(), 4, device, pitch, 8, 2, cudaMemcpyDeviceToHost), cudaErrorInvalidPitchValue);

  EXPECT_EQ(cudaMemset2D(device, pitch, 0xff, 4, kHeight), cudaSuccess);
  EXPECT_EQ(cudaMemcpy2D(back.data(), kWidth * 4, device, pitch, kWidth * 4, kHeight, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(back[kWidth], -1);
  EXPECT_EQ(back[kWidth + 1], source[kWidth + 1]);
}

// A 3 x 2 x 2 box of ints out of a 4 x 3 x 2 volume, from (1, 1, 0) on.
TEST_F(MemoryTest, Boxes3D) {
  constexpr size_t kX = 4, kY = 3, kZ = 2;
  std::vector<int> source = numbers(kX * kY * kZ);
  cudaPitchedPtr device{};
  ASSERT_EQ(cudaMalloc3D(&device, make_cudaExtent(kX * 4, kY, kZ)), cudaSuccess);
  EXPECT_EQ(device.xsize, kX * 4);
  EXPECT_EQ(device.ysize, kY);
  cudaMemcpy3DParms copy{};
  copy.srcPtr = make_cudaPitchedPtr(source.data(), kX * 4, kX, kY);
  copy.dstPtr = device;
  copy.extent = make_cudaExtent(kX * 4, kY, kZ);
  copy.kind = cudaMemcpyHostToDevice;
  ASSERT_EQ(cudaMemcpy3D(&copy), cudaSuccess);

  std::vector<int> box(12);
  cudaMemcpy3DParms back{};
  back.srcPtr = device;
  back.srcPos = make_cudaPos(4, 1, 0);
  back.dstPtr = make_cudaPitchedPtr(box.data(), 12, 3, 2);
  back.extent = make_cudaExtent(12, 2, 2);
  back.kind = cudaMemcpyDeviceToHost;
  ASSERT_EQ(cudaMemcpy3D(&back), cudaSuccess);
  EXPECT_EQ(box, (std::vector<int>{6, 7, 8, 10, 11, 12, 18, 19, 20, 22, 23, 24}));

  ASSERT_EQ(cudaMemset3D(device, 0, make_cudaExtent(4, kY, kZ)), cudaSuccess);
  ASSERT_EQ(cudaMemcpy3D(&back), cudaSuccess);
  EXPECT_EQ(box[0], 6);
  EXPECT_EQ(cudaMemcpy3D(nullptr), cudaErrorInvalidValue);
}

TEST_F(MemoryTest, PinnedAndRegisteredMemory) {
  int* pinned = nullptr;
  void* mapped = nullptr;
  ASSERT_EQ(cudaHostAlloc(&pinned, 256, cudaHostAllocMapped), cudaSuccess);
  pinned[63] = 17;
  EXPECT_EQ(cudaHostGetDevicePointer(&mapped, pinned, 0), cudaSuccess);
  int copy = 0;
  EXPECT_EQ(cudaMemcpy(&copy, static_cast<int*>(mapped) + 63, 4, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(copy, 17);
  EXPECT_EQ(cudaFree(pinned), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFreeHost(pinned), cudaSuccess);

  static int own[32];
  EXPECT_EQ(cudaHostGetDevicePointer(&mapped, own, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaHostRegister(own, sizeof own, cudaHostRegisterMapped), cudaSuccess);
  EXPECT_EQ(cudaHostRegister(own, sizeof own, cudaHostRegisterMapped), cudaErrorHostMemoryAlreadyRegistered);
  EXPECT_EQ(cudaHostGetDevicePointer(&mapped, own, 0), cudaSuccess);
  EXPECT_EQ(mapped, static_cast<void*>(own));
  EXPECT_EQ(cudaHostUnregister(own), cudaSuccess);
  EXPECT_EQ(cudaHostUnregister(own), cudaErrorHostMemoryNotRegistered);
}

TEST_F(MemoryTest, ManagedMemoryIsOneMemory) {
  int* managed = nullptr;
  ASSERT_EQ(cudaMallocManaged(&managed, 400), cudaSuccess);
  EXPECT_EQ(cudaMemset(managed, 1, 400), cudaSuccess);
  EXPECT_EQ(managed[99], 0x01010101);
  EXPECT_EQ(cudaMemPrefetchAsync(managed, 400, 0), cudaSuccess);
  EXPECT_EQ(cudaMemPrefetchAsync(managed, 400, cudaMemLocation{cudaMemLocationTypeHost, 0}, 0), cudaSuccess);
  EXPECT_EQ(cudaMemPrefetchAsync(managed, 400, 3), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaMemAdvise(managed, 400, cudaMemAdviseSetReadMostly, 0), cudaSuccess);
  EXPECT_EQ(cudaMallocManaged(&managed, 0), cudaErrorInvalidValue);
}

TEST_F(MemoryTest, PointersAreKnown) {
  int local = 0, *device = nullptr, *managed = nullptr, *pinned = nullptr;
  ASSERT_EQ(cudaMalloc(&device, 16), cudaSuccess);
  ASSERT_EQ(cudaMallocManaged(&managed, 16), cudaSuccess);
  ASSERT_EQ(cudaMallocHost(&pinned, 16), cudaSuccess);
  const auto typeOf = [](const void* pointer) {
    cudaPointerAttributes attributes{};
    EXPECT_EQ(cudaPointerGetAttributes(&attributes, pointer), cudaSuccess);
    return attributes.type;
  };
  EXPECT_EQ(typeOf(&local), cudaMemoryTypeUnregistered);
  EXPECT_EQ(typeOf(device + 3), cudaMemoryTypeDevice);
  EXPECT_EQ(typeOf(managed), cudaMemoryTypeManaged);
  EXPECT_EQ(typeOf(pinned), cudaMemoryTypeHost);
}

TEST_F(MemoryTest, FreeMemoryIsCounted) {
  size_t before = 0, during = 0, after = 0, total = 0;
  void* pointer = nullptr;
  ASSERT_EQ(cudaMemGetInfo(&before, &total), cudaSuccess);
  EXPECT_EQ(total, size_t{1} << 28);
  EXPECT_EQ(before, total);
  ASSERT_EQ(cudaMalloc(&pointer, 1 << 20), cudaSuccess);
  ASSERT_EQ(cudaMemGetInfo(&during, &total), cudaSuccess);
  EXPECT_LE(during, before - (1 << 20));
  ASSERT_EQ(cudaFree(pointer), cudaSuccess);
  ASSERT_EQ(cudaMemGetInfo(&after, &total), cudaSuccess);
  EXPECT_EQ(after, before);
}

TEST_F(MemoryTest, StreamOrderedMemory) {
  void* pointer = nullptr;
  cudaMemPool_t pool = nullptr;
  ASSERT_EQ(cudaDeviceGetDefaultMemPool(&pool, 0), cudaSuccess);
  EXPECT_EQ(cudaMallocAsync(&pointer, 64, 0), cudaSuccess);
  EXPECT_EQ(cudaFreeAsync(pointer, 0), cudaSuccess);
  EXPECT_EQ(cudaMallocAsync(&pointer, 64, pool, 0), cudaSuccess);
  unsigned long long threshold = 123;
  EXPECT_EQ(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold), cudaSuccess);
  threshold = 0;
  EXPECT_EQ(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold), cudaSuccess);
  EXPECT_EQ(threshold, 123u);
}

TEST_F(MemoryTest, UnknownSymbols) {
  static int notRegistered = 0;
  int value = 0;
  void* address = nullptr;
  EXPECT_EQ(cudaMemcpyToSymbol(notRegistered, &value, 4), cudaErrorInvalidSymbol);
  EXPECT_EQ(cudaGetSymbolAddress(&address, notRegistered), cudaErrorInvalidSymbol);
  EXPECT_EQ(cudaMemcpyToSymbol(notRegistered, &value, 4, 0, cudaMemcpyDeviceToHost), cudaErrorInvalidMemcpyDirection);
}

}  // namespace
