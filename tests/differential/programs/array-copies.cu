// CUDA arrays: what they say of themselves, and copies to, from and between them.
#include "check.hpp"

int main() {
  constexpr size_t kWidth = 24, kHeight = 10;
  const auto values = table(kWidth * kHeight, [](size_t i) { return static_cast<unsigned short>(257 * i); });
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<unsigned short>();
  cudaArray_t first = nullptr, second = nullptr;
  CUDA(cudaMallocArray(&first, &format, kWidth, kHeight));
  CUDA(cudaMallocArray(&second, &format, kWidth, kHeight));
  cudaChannelFormatDesc got{};
  cudaExtent extent{};
  unsigned flags = 99;
  CUDA(cudaArrayGetInfo(&got, &extent, &flags, first));
  check::that(got.x == 16 && got.y == 0 && got.f == cudaChannelFormatKindUnsigned, "channel format");
  check::that(extent.width == kWidth && extent.height == kHeight && extent.depth == 0 && flags == 0, "extent");

  CUDA(cudaMemcpy2DToArray(first, 0, 0, values.data(), kWidth * 2, kWidth * 2, kHeight, cudaMemcpyHostToDevice));
  CUDA(cudaMemcpy2DArrayToArray(second, 0, 0, first, 0, 0, kWidth * 2, kHeight, cudaMemcpyDeviceToDevice));
  // A window of the first, at another place in the second.
  CUDA(cudaMemcpy2DArrayToArray(second, 2 * 2, 5, first, 10 * 2, 1, 7 * 2, 3, cudaMemcpyDeviceToDevice));
  std::vector<unsigned short> back(kWidth * kHeight);
  CUDA(cudaMemcpy2DFromArray(back.data(), kWidth * 2, second, 0, 0, kWidth * 2, kHeight, cudaMemcpyDeviceToHost));
  auto wanted = values;
  for (size_t y = 0; y < 3; ++y) {
    for (size_t x = 0; x < 7; ++x) wanted[(y + 5) * kWidth + x + 2] = values[(y + 1) * kWidth + x + 10];
  }
  check::same(back, wanted, "window");
  Buffer<unsigned short> device(kWidth * kHeight);
  CUDA(cudaMemcpy2DFromArrayAsync(device, kWidth * 2, first, 0, 0, kWidth * 2, kHeight, cudaMemcpyDeviceToDevice, nullptr));
  check::same(device.read(), values, "to linear memory");
  CUDA(cudaFreeArray(first));
  CUDA(cudaFreeArray(second));
  return check::finish();
}
