// cudaMemset, cudaMemset2D and cudaMemset3D fill bytes, and only those asked for.
#include "check.hpp"

int main() {
  Buffer<unsigned char> flat(1000);
  CUDA(cudaMemset(flat + 3, 0xa5, 501));
  check::same(flat.read(), table(1000, [](size_t i) { return static_cast<unsigned char>(i >= 3 && i < 504 ? 0xa5 : 0); }), "flat");

  Buffer<unsigned char> plane(64 * 10);
  CUDA(cudaMemset2D(plane + 8, 64, 0x17, 20, 9));
  CUDA(cudaMemset2DAsync(plane + 2 * 64, 64, 0xff, 5, 2));
  check::same(plane.read(), table(640, [](size_t i) {
    const size_t x = i % 64, y = i / 64;
    if (x < 5 && y >= 2 && y < 4) return static_cast<unsigned char>(0xff);
    return static_cast<unsigned char>(x >= 8 && x < 28 && y < 9 ? 0x17 : 0);
  }), "plane");

  Buffer<unsigned char> volume(32 * 8 * 5);
  CUDA(cudaMemset3D(make_cudaPitchedPtr(volume, 32, 32, 8), 0x3c, make_cudaExtent(12, 4, 3)));
  check::same(volume.read(), table(32 * 8 * 5, [](size_t i) {
    return static_cast<unsigned char>(i % 32 < 12 && i / 32 % 8 < 4 && i / 256 < 3 ? 0x3c : 0);
  }), "volume");

  cudaStream_t stream;
  CUDA(cudaStreamCreate(&stream));
  CUDA(cudaMemsetAsync(flat, 0x0f, 1000, stream));
  CUDA(cudaStreamSynchronize(stream));
  check::same(flat.read(), std::vector<unsigned char>(1000, 0x0f), "asynchronous");
  CUDA(cudaStreamDestroy(stream));
  return check::finish();
}
