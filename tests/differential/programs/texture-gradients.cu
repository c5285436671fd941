// Fetches with gradients or a level from textures of one level: the level is the only one, whatever the gradients.
#include "check.hpp"

constexpr int kWidth = 8, kHeight = 4, kDepth = 3;

__global__ void from3D(cudaTextureObject_t texture, float* out) {
  const float4 dx = make_float4(0.5f, 0, 0, 0), dy = make_float4(0, 0.5f, 0, 0);
  out[(blockIdx.y * kHeight + blockIdx.x) * kWidth + threadIdx.x] =
      tex3DGrad<float>(texture, threadIdx.x + 0.5f, blockIdx.x + 0.5f, blockIdx.y + 0.5f, dx, dy);
}
__global__ void fromLayers2D(cudaTextureObject_t texture, float* out) {
  out[(blockIdx.y * kHeight + blockIdx.x) * kWidth + threadIdx.x] = tex2DLayeredGrad<float>(
      texture, threadIdx.x + 0.5f, blockIdx.x + 0.5f, static_cast<int>(blockIdx.y), make_float2(0.5f, 0), make_float2(0, 0.5f));
}
__global__ void fromLayers1D(cudaTextureObject_t texture, float* out) {
  const float x = threadIdx.x + 0.5f;
  const int layer = static_cast<int>(blockIdx.x);
  out[2 * (layer * kWidth + threadIdx.x)] = tex1DLayeredGrad<float>(texture, x, layer, 0.5f, 0.5f);
  out[2 * (layer * kWidth + threadIdx.x) + 1] = tex1DLayeredLod<float>(texture, x, layer, 0.0f);
}
__global__ void from1D(cudaTextureObject_t texture, float* out) {
  out[threadIdx.x] = tex1DGrad<float>(texture, threadIdx.x + 0.5f, 0.5f, 0.5f);
}

// An array of that extent and kind with the numbers 1, 2, … in it, and its texture.
cudaTextureObject_t makeTexture(cudaExtent extent, unsigned flags) {
  const size_t rows = extent.height == 0 ? 1 : extent.height, planes = extent.depth == 0 ? 1 : extent.depth;
  auto values = table(extent.width * rows * planes, [](size_t i) { return 1.0f + i; });
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  CUDA(cudaMalloc3DArray(&resource.res.array.array, &format, extent, flags));
  cudaMemcpy3DParms copy{};
  copy.srcPtr = make_cudaPitchedPtr(values.data(), extent.width * sizeof(float), extent.width, rows);
  copy.dstArray = resource.res.array.array;
  copy.extent = make_cudaExtent(extent.width, rows, planes);
  copy.kind = cudaMemcpyHostToDevice;
  CUDA(cudaMemcpy3D(&copy));
  cudaTextureDesc description{};
  for (auto& mode : description.addressMode) mode = cudaAddressModeClamp;
  cudaTextureObject_t object = 0;
  CUDA(cudaCreateTextureObject(&object, &resource, &description, nullptr));
  return object;
}

int main() {
  const auto counted = [](size_t count) { return table(count, [](size_t i) { return 1.0f + i; }); };
  const dim3 planes(kHeight, kDepth);
  Buffer<float> out(kWidth * kHeight * kDepth), pairs(2 * kWidth * kDepth), row(kWidth);
  from3D<<<planes, kWidth>>>(makeTexture(make_cudaExtent(kWidth, kHeight, kDepth), cudaArrayDefault), out);
  check::same(out.read(), counted(kWidth * kHeight * kDepth), "3D");
  fromLayers2D<<<planes, kWidth>>>(makeTexture(make_cudaExtent(kWidth, kHeight, kDepth), cudaArrayLayered), out);
  check::same(out.read(), counted(kWidth * kHeight * kDepth), "layers of 2D");
  fromLayers1D<<<kDepth, kWidth>>>(makeTexture(make_cudaExtent(kWidth, 0, kDepth), cudaArrayLayered), pairs);
  check::same(pairs.read(), table(2 * kWidth * kDepth, [](size_t i) { return 1.0f + i / 2; }), "layers of 1D");
  from1D<<<1, kWidth>>>(makeTexture(make_cudaExtent(kWidth, 0, 0), cudaArrayDefault), row);
  check::same(row.read(), counted(kWidth), "1D");
  return check::finish();
}
