// cudaMallocPitch, cudaMemcpy2D between pitches, and rows as a kernel finds them.
#include "check.hpp"

constexpr int kWidth = 37, kHeight = 19;

__global__ void addRow(char* data, size_t pitch) {
  int* row = reinterpret_cast<int*>(data + blockIdx.x * pitch);
  row[threadIdx.x] += 1000 * blockIdx.x;
}

int main() {
  const auto values = table(kWidth * kHeight, [](size_t i) { return static_cast<int>(3 * i); });
  char* device = nullptr;
  size_t pitch = 0;
  CUDA(cudaMallocPitch(&device, &pitch, kWidth * sizeof(int), kHeight));
  check::that(pitch >= kWidth * sizeof(int) && pitch % 32 == 0, "pitch holds a row and is aligned");
  CUDA(cudaMemcpy2D(device, pitch, values.data(), kWidth * sizeof(int), kWidth * sizeof(int), kHeight, cudaMemcpyHostToDevice));
  addRow<<<kHeight, kWidth>>>(device, pitch);
  std::vector<int> back(kWidth * kHeight);
  CUDA(cudaMemcpy2D(back.data(), kWidth * sizeof(int), device, pitch, kWidth * sizeof(int), kHeight, cudaMemcpyDeviceToHost));
  check::same(back, table(kWidth * kHeight, [](size_t i) { return static_cast<int>(3 * i + 1000 * (i / kWidth)); }), "rows");

  // A window of 5 x 4 from column 10, row 6, to another pitch on the device.
  Buffer<int> window(64 * 4);
  CUDA(cudaMemcpy2D(window, 256, device + 6 * pitch + 40, pitch, 20, 4, cudaMemcpyDeviceToDevice));
  const auto cut = table(64 * 4, [](size_t i) {
    const size_t x = i % 64, y = i / 64 + 6;
    return x < 5 ? static_cast<int>(3 * (y * kWidth + x + 10) + 1000 * y) : 0;
  });
  check::same(window.read(), cut, "window");
  check::code(cudaMemcpy2D(window, 16, device, pitch, 20, 4, cudaMemcpyDeviceToDevice), cudaErrorInvalidPitchValue, "pitch below width");
  CUDA(cudaFree(device));
  return check::finish();
}
