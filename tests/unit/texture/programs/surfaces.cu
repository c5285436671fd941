// Surfaces: a kernel writes rows of different element sizes, another reads them, at the edges in each boundary mode.
#include "check.hpp"

__global__ void fill(cudaSurfaceObject_t surface, int width) {
  const int x = threadIdx.x, y = blockIdx.x;
  if (x < width) surf2Dwrite(make_float2(x, y), surface, x * 8, y);
  surf2Dwrite(make_float2(-1, -1), surface, (width + x) * 8, y, cudaBoundaryModeZero);
}

__global__ void swap(cudaSurfaceObject_t surface, float2* inside, float2* zeros, float2* clamped, int width) {
  const int x = threadIdx.x;
  inside[x] = surf2Dread<float2>(surface, x * 8, 2);
  surf2Dread(&zeros[x], surface, (x - width) * 8, 0, cudaBoundaryModeZero);
  clamped[x] = surf2Dread<float2>(surface, (x + width) * 8, 9, cudaBoundaryModeClamp);
}

__global__ void volume(cudaSurfaceObject_t surface) {
  surf3Dwrite(static_cast<unsigned char>(threadIdx.x + 10 * threadIdx.y + 100 * threadIdx.z), surface, threadIdx.x, threadIdx.y,
              threadIdx.z);
}

int main() {
  constexpr int kWidth = 16, kHeight = 4;
  cudaArray_t array;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float2>();
  cudaMallocArray(&array, &format, kWidth, kHeight, cudaArraySurfaceLoadStore);
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaSurfaceObject_t surface;
  cudaCreateSurfaceObject(&surface, &resource);
  float2* values;
  cudaMallocManaged(&values, 3 * kWidth * sizeof(float2));
  fill<<<kHeight, kWidth>>>(surface, kWidth);
  swap<<<1, kWidth>>>(surface, values, values + kWidth, values + 2 * kWidth, kWidth);
  cudaDeviceSynchronize();
  for (int i = 0; i < kWidth; ++i) {
    expect(values[i].x == i && values[i].y == 2, "inside", i);
    expect(values[kWidth + i].x == 0 && values[kWidth + i].y == 0, "zero", i);
    expect(values[2 * kWidth + i].x == kWidth - 1 && values[2 * kWidth + i].y == kHeight - 1, "clamp", i);
  }

  cudaArray_t box;
  format = cudaCreateChannelDesc<unsigned char>();
  cudaMalloc3DArray(&box, &format, make_cudaExtent(5, 3, 2), cudaArraySurfaceLoadStore);
  resource.res.array.array = box;
  cudaSurfaceObject_t bytes;
  cudaCreateSurfaceObject(&bytes, &resource);
  volume<<<1, dim3(5, 3, 2)>>>(bytes);
  unsigned char back[2][3][5] = {};
  cudaMemcpy3DParms copy{};
  copy.srcArray = box;
  copy.dstPtr = make_cudaPitchedPtr(back, 5, 5, 3);
  copy.extent = make_cudaExtent(5, 3, 2);
  copy.kind = cudaMemcpyDeviceToHost;
  expect(cudaMemcpy3D(&copy) == cudaSuccess, "cudaMemcpy3D", 0);
  for (int z = 0; z < 2; ++z)
    for (int y = 0; y < 3; ++y)
      for (int x = 0; x < 5; ++x) expect(back[z][y][x] == x + 10 * y + 100 * z, "volume", x + 5 * y + 15 * z);
  return finish();
}
