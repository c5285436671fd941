// Texture objects over linear memory and pitched memory: tex1Dfetch and tex2D, values as stored and as numbers from 0 to 1.
#include "check.hpp"

__global__ void fetch(cudaTextureObject_t values, cudaTextureObject_t bytes, float* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = tex1Dfetch<float>(values, (i * 7) % count) + 1024 * (i >= count ? 0.0f : tex1Dfetch<float>(bytes, i));
}
__global__ void fetchPlane(cudaTextureObject_t plane, int2* out, int width) {
  out[blockIdx.x * width + threadIdx.x] = tex2D<int2>(plane, width - 1 - threadIdx.x + 0.5f, blockIdx.x + 0.5f);
}

cudaTextureObject_t linear(void* data, cudaChannelFormatDesc format, size_t bytes, cudaTextureReadMode mode) {
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear = {data, format, bytes};
  cudaTextureDesc description{};
  description.readMode = mode;
  cudaTextureObject_t object = 0;
  CUDA(cudaCreateTextureObject(&object, &resource, &description, nullptr));
  return object;
}

int main() {
  constexpr int kCount = 128;
  Buffer<float> values(table(kCount, [](size_t i) { return 0.5f * i; })), out(kCount);
  Buffer<unsigned char> bytes(table(kCount, [](size_t i) { return static_cast<unsigned char>(2 * i); }));
  const auto a = linear(values, cudaCreateChannelDesc<float>(), kCount * sizeof(float), cudaReadModeElementType);
  const auto b = linear(bytes, cudaCreateChannelDesc<unsigned char>(), kCount, cudaReadModeNormalizedFloat);
  fetch<<<2, 64>>>(a, b, out, kCount);
  check::same(out.read(), table(kCount, [](size_t i) { return 0.5f * (i * 7 % kCount) + 1024 * (2 * i / 255.0f); }), "tex1Dfetch");

  constexpr int kWidth = 20, kHeight = 9;
  const auto pairs = table(kWidth * kHeight, [](size_t i) { return make_int2(static_cast<int>(i), -static_cast<int>(i * i)); });
  void* plane = nullptr;
  size_t pitch = 0;
  CUDA(cudaMallocPitch(&plane, &pitch, kWidth * sizeof(int2), kHeight));
  CUDA(cudaMemcpy2D(plane, pitch, pairs.data(), kWidth * sizeof(int2), kWidth * sizeof(int2), kHeight, cudaMemcpyHostToDevice));
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D = {plane, cudaCreateChannelDesc<int2>(), kWidth, kHeight, pitch};
  cudaTextureDesc description{};
  cudaTextureObject_t object = 0;
  CUDA(cudaCreateTextureObject(&object, &resource, &description, nullptr));
  Buffer<int2> mirrored(kWidth * kHeight);
  fetchPlane<<<kHeight, kWidth>>>(object, mirrored, kWidth);
  check::same(mirrored.read(), table(kWidth * kHeight, [&](size_t i) { return pairs[i / kWidth * kWidth + kWidth - 1 - i % kWidth]; }), "tex2D");
  for (const auto texture : {a, b, object}) CUDA(cudaDestroyTextureObject(texture));
  CUDA(cudaFree(plane));
  return check::finish();
}
