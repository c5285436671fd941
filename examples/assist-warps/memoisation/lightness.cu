// The lightness L* (CIE 1976) of each pixel of a grey image with eight bits: a cube root by Newton's method, of 256 values again and again.
// docs/assist-warps/memoisation.md speaks of it. Prints how far the results are from the truth.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void lightness(const unsigned char* grey, float* result, int pixels) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < pixels; i += gridDim.x * blockDim.x) {
    const float y = (float(grey[i]) + 1.0f) / 256.0f;
    float root = (y + 2.0f) / 3.0f;
#pragma unroll
    for (int step = 0; step < 6; ++step) root = (root + root + y / (root * root)) / 3.0f;
    result[i] = 116.0f * root - 16.0f;
  }
}

int main(int argc, char** argv) {
  const int pixels = argc > 1 ? std::atoi(argv[1]) : 1 << 17;
  const int levels = argc > 2 ? std::atoi(argv[2]) : 256;  // of grey
  std::vector<unsigned char> image(pixels);
  unsigned random = 1;
  for (unsigned char& pixel : image) pixel = static_cast<unsigned char>(((random = random * 1664525u + 1013904223u) >> 24) % levels);
  unsigned char* grey = nullptr;
  float* result = nullptr;
  cudaMalloc(reinterpret_cast<void**>(&grey), pixels);
  cudaMalloc(reinterpret_cast<void**>(&result), pixels * sizeof(float));
  cudaMemcpy(grey, image.data(), pixels, cudaMemcpyHostToDevice);
  lightness<<<30, 256>>>(grey, result, pixels);
  if (const cudaError_t status = cudaGetLastError(); status != cudaSuccess) {
    std::fprintf(stderr, "%s\n", cudaGetErrorString(status));
    return 1;
  }
  std::vector<float> got(pixels);
  cudaMemcpy(got.data(), result, pixels * sizeof(float), cudaMemcpyDeviceToHost);
  double worst = 0;
  for (int i = 0; i < pixels; ++i) {
    // Newton's method has six steps here, and is not at its end for dark pixels: the truth is what they give in double precision.
    const double y = (image[i] + 1.0) / 256.0;
    double root = (y + 2) / 3;
    for (int step = 0; step < 6; ++step) root = (root + root + y / (root * root)) / 3;
    worst = std::fmax(worst, std::fabs(got[i] - (116 * root - 16)));
  }
  std::printf("largest error: %.3g of 100\n", worst);
  return worst < 1e-3 ? 0 : 1;
}
