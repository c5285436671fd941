// Volumes, layers, cube maps and gathers.
#include <vector>

#include "check.hpp"

__global__ void read(cudaTextureObject_t volume, cudaTextureObject_t layers, cudaTextureObject_t cube, float* out) {
  out[0] = tex3D<float>(volume, 1.0f, 1.0f, 1.0f);
  out[1] = tex2DLayered<float>(layers, 1.5f, 0.5f, 2);
  out[2] = texCubemap<float>(cube, 0.1f, -3.0f, 0.2f);
  const float4 corners = tex2Dgather<float4>(layers, 1.0f, 1.0f, 0);
  out[3] = corners.x;
  out[4] = corners.w;
  out[5] = tex2DLod<float>(layers, 1.5f, 1.5f, 0.0f);
}

cudaTextureObject_t textureOf(const std::vector<float>& data, cudaExtent extent, unsigned int flags, cudaTextureFilterMode filter) {
  cudaArray_t array;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  expect(cudaMalloc3DArray(&array, &format, extent, flags) == cudaSuccess, "cudaMalloc3DArray", 0);
  cudaMemcpy3DParms copy{};
  copy.srcPtr = make_cudaPitchedPtr(const_cast<float*>(data.data()), extent.width * 4, extent.width, extent.height);
  copy.dstArray = array;
  copy.extent = extent;
  copy.kind = cudaMemcpyHostToDevice;
  expect(cudaMemcpy3D(&copy) == cudaSuccess, "cudaMemcpy3D", 0);
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc description{};
  description.filterMode = filter;
  for (auto& mode : description.addressMode) mode = cudaAddressModeClamp;
  cudaTextureObject_t texture = 0;
  expect(cudaCreateTextureObject(&texture, &resource, &description, nullptr) == cudaSuccess, "cudaCreateTextureObject", 0);
  return texture;
}

int main() {
  std::vector<float> ramp(24);
  for (int i = 0; i < 24; ++i) ramp[i] = static_cast<float>(i);
  const auto volume = textureOf(ramp, make_cudaExtent(2, 2, 2), 0, cudaFilterModeLinear);
  const auto layers = textureOf(ramp, make_cudaExtent(2, 2, 3), cudaArrayLayered, cudaFilterModePoint);
  const auto cube = textureOf(ramp, make_cudaExtent(2, 2, 6), cudaArrayCubemap, cudaFilterModePoint);
  float* out;
  cudaMallocManaged(&out, 6 * sizeof(float));
  read<<<1, 1>>>(volume, layers, cube, out);
  cudaDeviceSynchronize();
  // mean of 0 … 7; layer 2, x 1, y 0; face -y with s = x > 0, t = -z < 0; texels (0,1) and (0,0) of layer 0; texel (1,1)
  const float expected[] = {3.5f, 9, 13, 2, 0, 3};
  for (int i = 0; i < 6; ++i) expect(out[i] == expected[i], "shape", i);
  return finish();
}
