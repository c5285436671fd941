// Error codes of the texture and surface calls (CUDA Runtime API, "Texture Object Management", "Surface Object Management", cudaError_t).
#include "api_fixture.hpp"

namespace {

class TextureApi : public ApiTest {
 protected:
  void SetUp() override {
    ApiTest::SetUp();
    ASSERT_EQ(cudaMallocArray(&array_, &kFloat, 8, 4), cudaSuccess);
    ASSERT_EQ(cudaMalloc(&memory_, 4096), cudaSuccess);
    onArray_.resType = cudaResourceTypeArray;
    onArray_.res.array.array = array_;
    onLine_.resType = cudaResourceTypeLinear;
    onLine_.res.linear = {memory_, kFloat, 4096};
    onPlane_.resType = cudaResourceTypePitch2D;
    onPlane_.res.pitch2D = {memory_, kFloat, 8, 4, 64};
  }

  cudaError_t create(const cudaResourceDesc& resource, const cudaTextureDesc& description = {}) {
    return cudaCreateTextureObject(&texture_, &resource, &description, nullptr);
  }

  const cudaChannelFormatDesc kFloat = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
  const cudaChannelFormatDesc kInteger = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindSigned);
  const cudaChannelFormatDesc kByte = cudaCreateChannelDesc(8, 0, 0, 0, cudaChannelFormatKindUnsigned);
  cudaArray_t array_ = nullptr;
  void* memory_ = nullptr;
  cudaResourceDesc onArray_{}, onLine_{}, onPlane_{};
  cudaTextureObject_t texture_ = 0;
};

TEST_F(TextureApi, ObjectsOfEveryKindOfMemoryAreMadeAndDestroyed) {
  for (const cudaResourceDesc& resource : {onArray_, onLine_, onPlane_}) {
    ASSERT_EQ(create(resource), cudaSuccess);
    cudaResourceDesc read{};
    EXPECT_EQ(cudaGetTextureObjectResourceDesc(&read, texture_), cudaSuccess);
    EXPECT_EQ(read.resType, resource.resType);
    EXPECT_EQ(cudaDestroyTextureObject(texture_), cudaSuccess);
    EXPECT_EQ(cudaGetTextureObjectResourceDesc(&read, texture_), cudaErrorInvalidValue);
  }
}

TEST_F(TextureApi, NullPointersAreRefused) {
  const cudaTextureDesc description{};
  EXPECT_EQ(cudaCreateTextureObject(nullptr, &onArray_, &description, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(cudaCreateTextureObject(&texture_, nullptr, &description, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(cudaCreateTextureObject(&texture_, &onArray_, nullptr, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
}

TEST_F(TextureApi, AFreedArrayIsNoResource) {
  ASSERT_EQ(cudaFreeArray(array_), cudaSuccess);
  EXPECT_EQ(create(onArray_), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaFreeArray(array_), cudaErrorInvalidValue);
}

TEST_F(TextureApi, LinearMemoryMustBeThereAndBeOfAKnownFormat) {
  onLine_.res.linear.sizeInBytes = 8192;  // more than was allocated
  EXPECT_EQ(create(onLine_), cudaErrorInvalidValue);
  onLine_.res.linear.sizeInBytes = 0;
  EXPECT_EQ(create(onLine_), cudaErrorInvalidValue);
  onLine_.res.linear = {nullptr, kFloat, 4096};
  EXPECT_EQ(create(onLine_), cudaErrorInvalidValue);
  onLine_.res.linear = {memory_, cudaCreateChannelDesc(8, 16, 0, 0, cudaChannelFormatKindUnsigned), 4096};
  EXPECT_EQ(create(onLine_), cudaErrorInvalidChannelDescriptor);
}

TEST_F(TextureApi, APitchHoldsARow) {
  onPlane_.res.pitch2D.pitchInBytes = 16;  // of 32
  EXPECT_EQ(create(onPlane_), cudaErrorInvalidPitchValue);
  onPlane_.res.pitch2D.pitchInBytes = 64;
  onPlane_.res.pitch2D.height = 0;
  EXPECT_EQ(create(onPlane_), cudaErrorInvalidValue);
}

TEST_F(TextureApi, FiltersAndReadModesMustFitTheFormat) {
  onLine_.res.linear.desc = kInteger;
  onPlane_.res.pitch2D.desc = kInteger;
  cudaTextureDesc description{};
  description.filterMode = cudaFilterModeLinear;
  EXPECT_EQ(create(onPlane_, description), cudaErrorInvalidFilterSetting) << "integers are not filtered";
  onPlane_.res.pitch2D.desc = kByte;
  description.readMode = cudaReadModeNormalizedFloat;
  EXPECT_EQ(create(onPlane_, description), cudaSuccess) << "unless they are read as floats";
  description = {};
  description.readMode = cudaReadModeNormalizedFloat;
  EXPECT_EQ(create(onLine_, description), cudaErrorInvalidNormSetting) << "32-bit integers are not normalised";
  description = {};
  description.filterMode = static_cast<cudaTextureFilterMode>(7);
  EXPECT_EQ(create(onArray_, description), cudaErrorInvalidFilterSetting);
  description = {};
  description.addressMode[1] = static_cast<cudaTextureAddressMode>(9);
  EXPECT_EQ(create(onArray_, description), cudaErrorInvalidValue);
}

TEST_F(TextureApi, WhatIsMissingSaysSo) {
  cudaTextureDesc description{};
  description.sRGB = 1;
  EXPECT_EQ(create(onArray_, description), cudaErrorNotSupported);
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeMipmappedArray;
  EXPECT_EQ(create(resource), cudaErrorNotSupported);
}

TEST_F(TextureApi, SurfacesNeedAnArrayMadeForThem) {
  cudaSurfaceObject_t surface = 0;
  EXPECT_EQ(cudaCreateSurfaceObject(&surface, &onLine_), cudaErrorInvalidChannelDescriptor);
  EXPECT_EQ(cudaCreateSurfaceObject(nullptr, &onArray_), cudaErrorInvalidValue);
  EXPECT_EQ(cudaCreateSurfaceObject(&surface, &onArray_), cudaErrorInvalidValue) << "without cudaArraySurfaceLoadStore";
  cudaArray_t writable = nullptr;
  ASSERT_EQ(cudaMallocArray(&writable, &kFloat, 8, 4, cudaArraySurfaceLoadStore), cudaSuccess);
  onArray_.res.array.array = writable;
  ASSERT_EQ(cudaCreateSurfaceObject(&surface, &onArray_), cudaSuccess);
  EXPECT_EQ(cudaDestroySurfaceObject(surface), cudaSuccess);
  EXPECT_EQ(cudaGetSurfaceObjectResourceDesc(&onArray_, surface), cudaErrorInvalidValue);
}

TEST_F(TextureApi, CopiesStayInsideOfTheArray) {
  float row[8] = {};
  EXPECT_EQ(cudaMemcpy2DToArray(array_, 0, 0, row, sizeof row, sizeof row, 1, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(cudaMemcpy2DToArray(array_, 4, 0, row, sizeof row, sizeof row, 1, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy2DToArray(array_, 0, 3, row, sizeof row, sizeof row, 2, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy2DFromArray(row, 16, array_, 0, 0, sizeof row, 2, cudaMemcpyDeviceToHost), cudaErrorInvalidPitchValue);
  EXPECT_EQ(cudaMemcpy2DToArray(nullptr, 0, 0, row, sizeof row, sizeof row, 1, cudaMemcpyHostToDevice), cudaErrorInvalidResourceHandle);
}

TEST_F(TextureApi, ArraysOfUnknownFormatsAndShapesAreNotMade) {
  cudaArray_t array = nullptr;
  const cudaChannelFormatDesc three = cudaCreateChannelDesc(8, 8, 8, 0, cudaChannelFormatKindUnsigned);
  EXPECT_EQ(cudaMallocArray(&array, &three, 8, 4), cudaErrorInvalidChannelDescriptor);
  EXPECT_EQ(cudaMallocArray(&array, &kFloat, 0, 4), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMallocArray(nullptr, &kFloat, 8, 4), cudaErrorInvalidValue);
  const cudaExtent oblong = {8, 4, 6};
  EXPECT_EQ(cudaMalloc3DArray(&array, &kFloat, oblong, cudaArrayCubemap), cudaErrorInvalidValue) << "faces of a cube are square";
}

}  // namespace
