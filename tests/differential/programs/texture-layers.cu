// Layered textures, and gathering one component of four texels.
#include "check.hpp"

constexpr int kWidth = 8, kHeight = 4, kLayers = 5;

__global__ void sample(cudaTextureObject_t texture, float4* out) {
  const int x = threadIdx.x, y = blockIdx.x, layer = blockIdx.y;
  out[(layer * kHeight + y) * kWidth + x] = tex2DLayered<float4>(texture, x + 0.5f, y + 0.5f, layer);
}
__global__ void gather(cudaTextureObject_t texture, float4* out) {
  out[blockIdx.x * (kWidth - 1) + threadIdx.x] = tex2Dgather<float4>(texture, threadIdx.x + 1.0f, blockIdx.x + 1.0f, 2);
}

cudaTextureObject_t makeTexture(cudaArray_t array) {
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc description{};
  description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
  cudaTextureObject_t object = 0;
  CUDA(cudaCreateTextureObject(&object, &resource, &description, nullptr));
  return object;
}

int main() {
  auto values = table(kWidth * kHeight * kLayers, [](size_t i) { return make_float4(1.0f * i, 2.0f * i, 3.0f * i + 1, -1.0f * i); });
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float4>();
  cudaArray_t layers = nullptr, plane = nullptr;
  CUDA(cudaMalloc3DArray(&layers, &format, make_cudaExtent(kWidth, kHeight, kLayers), cudaArrayLayered));
  cudaMemcpy3DParms copy{};
  copy.srcPtr = make_cudaPitchedPtr(values.data(), kWidth * sizeof(float4), kWidth, kHeight);
  copy.dstArray = layers;
  copy.extent = make_cudaExtent(kWidth, kHeight, kLayers);
  copy.kind = cudaMemcpyHostToDevice;
  CUDA(cudaMemcpy3D(&copy));
  Buffer<float4> out(values.size());
  sample<<<dim3(kHeight, kLayers), kWidth>>>(makeTexture(layers), out);
  check::same(out.read(), values, "layers");

  CUDA(cudaMallocArray(&plane, &format, kWidth, kHeight, cudaArrayTextureGather));
  CUDA(cudaMemcpy2DToArray(plane, 0, 0, values.data(), kWidth * 16, kWidth * 16, kHeight, cudaMemcpyHostToDevice));
  Buffer<float4> gathered((kWidth - 1) * (kHeight - 1));
  gather<<<kHeight - 1, kWidth - 1>>>(makeTexture(plane), gathered);
  // The four texels around a corner: lower left, lower right, upper right, upper left.
  check::same(gathered.read(), table((kWidth - 1) * (kHeight - 1), [&](size_t i) {
    const size_t x = i % (kWidth - 1), y = i / (kWidth - 1), at = y * kWidth + x;
    return make_float4(values[at + kWidth].z, values[at + kWidth + 1].z, values[at + 1].z, values[at].z);
  }), "gather");
  return check::finish();
}
