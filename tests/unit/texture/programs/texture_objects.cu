// Texture objects over arrays, pitched and linear memory: linear filter, wrap, normalised reads.
#include <vector>

#include "check.hpp"

__global__ void blur(cudaTextureObject_t texture, float* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x < width && y < height) out[y * width + x] = tex2D<float>(texture, x + 1.0f, y + 1.0f);
}

__global__ void wrapped(cudaTextureObject_t texture, float* out) {
  out[threadIdx.x] = tex2D<float>(texture, threadIdx.x / 8.0f + 1 / 16.0f, 0.0f);
}

__global__ void linearMemory(cudaTextureObject_t bytes, cudaTextureObject_t normalized, int* out, float* fractions) {
  const int i = threadIdx.x;
  const uchar4 texel = tex1Dfetch<uchar4>(bytes, i);
  out[i] = texel.x + 256 * texel.w;
  fractions[i] = tex1Dfetch<float4>(normalized, i).y;
}

int main() {
  constexpr int kWidth = 50, kHeight = 7;
  std::vector<float> image(kWidth * kHeight);
  for (int i = 0; i < kWidth * kHeight; ++i) image[i] = static_cast<float>(i % 17 * 4);

  cudaArray_t array;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMallocArray(&array, &format, kWidth, kHeight);
  cudaMemcpy2DToArray(array, 0, 0, image.data(), kWidth * 4, kWidth * 4, kHeight, cudaMemcpyHostToDevice);
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc description{};
  description.filterMode = cudaFilterModeLinear;
  description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
  cudaTextureObject_t texture;
  cudaCreateTextureObject(&texture, &resource, &description, nullptr);

  float* out;
  cudaMallocManaged(&out, sizeof(float) * kWidth * kHeight);
  blur<<<dim3(2, kHeight), 32>>>(texture, out, kWidth, kHeight);
  cudaDeviceSynchronize();
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x) {
      const int right = x + 1 < kWidth ? x + 1 : x, below = y + 1 < kHeight ? y + 1 : y;
      const float mean =
          (image[y * kWidth + x] + image[y * kWidth + right] + image[below * kWidth + x] + image[below * kWidth + right]) / 4;
      expect(out[y * kWidth + x] == mean, "mean of four", y * kWidth + x);
    }

  void* pitched;
  size_t pitch;
  cudaMallocPitch(&pitched, &pitch, 8 * sizeof(float), 2);
  cudaMemcpy2D(pitched, pitch, image.data(), 8 * sizeof(float), 8 * sizeof(float), 2, cudaMemcpyHostToDevice);
  cudaResourceDesc plane{};
  plane.resType = cudaResourceTypePitch2D;
  plane.res.pitch2D.devPtr = pitched;
  plane.res.pitch2D.desc = format;
  plane.res.pitch2D.width = 8;
  plane.res.pitch2D.height = 2;
  plane.res.pitch2D.pitchInBytes = pitch;
  cudaTextureDesc repeating{};
  repeating.addressMode[0] = repeating.addressMode[1] = cudaAddressModeWrap;
  repeating.normalizedCoords = 1;
  cudaTextureObject_t wrap;
  cudaCreateTextureObject(&wrap, &plane, &repeating, nullptr);
  wrapped<<<1, 32>>>(wrap, out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 32; ++i) expect(out[i] == image[i % 8], "wrapped", i);

  unsigned char bytes[4 * 8];
  for (int i = 0; i < 32; ++i) bytes[i] = static_cast<unsigned char>(i * 8);
  void* memory;
  cudaMalloc(&memory, sizeof bytes);
  cudaMemcpy(memory, bytes, sizeof bytes, cudaMemcpyHostToDevice);
  cudaResourceDesc line{};
  line.resType = cudaResourceTypeLinear;
  line.res.linear.devPtr = memory;
  line.res.linear.desc = cudaCreateChannelDesc<uchar4>();
  line.res.linear.sizeInBytes = sizeof bytes;
  cudaTextureDesc plain{};
  cudaTextureObject_t asBytes, asFractions;
  cudaCreateTextureObject(&asBytes, &line, &plain, nullptr);
  plain.readMode = cudaReadModeNormalizedFloat;
  cudaCreateTextureObject(&asFractions, &line, &plain, nullptr);
  int* sums;
  cudaMallocManaged(&sums, 16 * sizeof(int));
  linearMemory<<<1, 16>>>(asBytes, asFractions, sums, out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 16; ++i) {
    const bool inside = i < 8;
    expect(sums[i] == (inside ? bytes[4 * i] + 256 * bytes[4 * i + 3] : 0), "bytes", i);
    expect(out[i] == (inside ? bytes[4 * i + 1] / 255.0f : 0.0f), "fractions", i);
  }
  return finish();
}
