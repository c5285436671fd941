// Surfaces over arrays of one to three dimensions: reads and writes in bytes, and what lies outside.
#include "check.hpp"

constexpr int kWidth = 16, kHeight = 8, kDepth = 3;

__global__ void plane(cudaSurfaceObject_t surface, int* outside) {
  const int x = threadIdx.x, y = blockIdx.x;
  const int old = surf2Dread<int>(surface, x * 4, y);
  surf2Dwrite(old + 1000 * y + x, surface, x * 4, y);
  if (x == 0) {
    outside[2 * y] = surf2Dread<int>(surface, -4, y, cudaBoundaryModeZero);
    outside[2 * y + 1] = surf2Dread<int>(surface, 0, kHeight + 5, cudaBoundaryModeZero);
    surf2Dwrite(-1, surface, 4 * kWidth, y, cudaBoundaryModeZero);
  }
}
__global__ void line(cudaSurfaceObject_t surface) {
  const short2 value = surf1Dread<short2>(surface, threadIdx.x * 4);
  __syncthreads();
  surf1Dwrite(make_short2(value.y, value.x), surface, (blockDim.x - 1 - threadIdx.x) * 4);
}
__global__ void volume(cudaSurfaceObject_t surface) {
  const int x = threadIdx.x, y = blockIdx.x, z = blockIdx.y;
  surf3Dwrite(static_cast<unsigned char>(x + 16 * y + 100 * z), surface, x, y, z);
}

cudaSurfaceObject_t makeSurface(cudaArray_t array) {
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaSurfaceObject_t object = 0;
  CUDA(cudaCreateSurfaceObject(&object, &resource));
  return object;
}

int main() {
  const auto words = table(kWidth * kHeight, [](size_t i) { return static_cast<int>(i << 16); });
  cudaArray_t array = nullptr;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
  CUDA(cudaMallocArray(&array, &format, kWidth, kHeight, cudaArraySurfaceLoadStore));
  CUDA(cudaMemcpy2DToArray(array, 0, 0, words.data(), kWidth * 4, kWidth * 4, kHeight, cudaMemcpyHostToDevice));
  Buffer<int> outside(std::vector<int>(2 * kHeight, 7));
  plane<<<kHeight, kWidth>>>(makeSurface(array), outside);
  std::vector<int> back(kWidth * kHeight);
  CUDA(cudaMemcpy2DFromArray(back.data(), kWidth * 4, array, 0, 0, kWidth * 4, kHeight, cudaMemcpyDeviceToHost));
  check::same(back, table(kWidth * kHeight, [](size_t i) { return static_cast<int>((i << 16) + 1000 * (i / kWidth) + i % kWidth); }), "plane");
  check::same(outside.read(), std::vector<int>(2 * kHeight, 0), "outside");

  auto pairs = table(32, [](size_t i) { return make_short2(static_cast<short>(i), static_cast<short>(100 + i)); });
  cudaArray_t row = nullptr;
  format = cudaCreateChannelDesc<short2>();
  CUDA(cudaMallocArray(&row, &format, 32, 0, cudaArraySurfaceLoadStore));
  CUDA(cudaMemcpy2DToArray(row, 0, 0, pairs.data(), 128, 128, 1, cudaMemcpyHostToDevice));
  line<<<1, 32>>>(makeSurface(row));
  CUDA(cudaMemcpy2DFromArray(pairs.data(), 128, row, 0, 0, 128, 1, cudaMemcpyDeviceToHost));
  check::same(pairs, table(32, [](size_t i) { return make_short2(static_cast<short>(131 - i), static_cast<short>(31 - i)); }), "line");

  cudaArray_t box = nullptr;
  format = cudaCreateChannelDesc<unsigned char>();
  CUDA(cudaMalloc3DArray(&box, &format, make_cudaExtent(kWidth, kHeight, kDepth), cudaArraySurfaceLoadStore));
  volume<<<dim3(kHeight, kDepth), kWidth>>>(makeSurface(box));
  std::vector<unsigned char> bytes(kWidth * kHeight * kDepth);
  cudaMemcpy3DParms copy{};
  copy.srcArray = box;
  copy.dstPtr = make_cudaPitchedPtr(bytes.data(), kWidth, kWidth, kHeight);
  copy.extent = make_cudaExtent(kWidth, kHeight, kDepth);
  copy.kind = cudaMemcpyDeviceToHost;
  CUDA(cudaMemcpy3D(&copy));
  check::same(bytes, table(bytes.size(), [](size_t i) {
    return static_cast<unsigned char>(i % kWidth + 16 * (i / kWidth % kHeight) + 100 * (i / (kWidth * kHeight)));
  }), "volume");
  return check::finish();
}
