// References, as programs before CUDA 12 use them: bound to linear memory, pitched memory, an array; a surface reference.
#include "check.hpp"

texture<int, cudaTextureType1D, cudaReadModeElementType> line;
texture<unsigned char, cudaTextureType2D, cudaReadModeNormalizedFloat> plane;
texture<float, cudaTextureType2D, cudaReadModeElementType> image;
surface<void, cudaSurfaceType2D> target;

__global__ void read(int* integers, float* fractions, float* blended) {
  const int i = threadIdx.x;
  integers[i] = tex1Dfetch(line, i);
  fractions[i] = tex2D(plane, i + 0.5f, 1.5f);
  blended[i] = tex2D(image, i + 1.0f, 0.5f);
}

__global__ void write() { surf2Dwrite(threadIdx.x * 4.0f, target, threadIdx.x * 4, 0); }

int main() {
  int numbers[8];
  unsigned char bytes[2][8];
  for (int i = 0; i < 8; ++i) {
    numbers[i] = i * i - 5;
    bytes[0][i] = 0;
    bytes[1][i] = static_cast<unsigned char>(i * 30);
  }
  void *deviceLine, *devicePlane;
  size_t pitch;
  cudaMalloc(&deviceLine, sizeof numbers);
  cudaMemcpy(deviceLine, numbers, sizeof numbers, cudaMemcpyHostToDevice);
  cudaMallocPitch(&devicePlane, &pitch, 8, 2);
  cudaMemcpy2D(devicePlane, pitch, bytes, 8, 8, 2, cudaMemcpyHostToDevice);
  cudaArray_t array;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMallocArray(&array, &format, 8, 1, cudaArraySurfaceLoadStore);
  image.filterMode = cudaFilterModeLinear;
  image.addressMode[0] = image.addressMode[1] = cudaAddressModeClamp;
  expect(cudaBindTexture(nullptr, line, deviceLine, sizeof numbers) == cudaSuccess, "bind line", 0);
  expect(cudaBindTexture2D(nullptr, plane, devicePlane, 8, 2, pitch) == cudaSuccess, "bind plane", 0);
  expect(cudaBindTextureToArray(image, array) == cudaSuccess, "bind image", 0);
  expect(cudaBindSurfaceToArray(target, array) == cudaSuccess, "bind surface", 0);
  int* integers;
  float *fractions, *blended;
  cudaMallocManaged(&integers, 8 * sizeof(int));
  cudaMallocManaged(&fractions, 8 * sizeof(float));
  cudaMallocManaged(&blended, 8 * sizeof(float));
  write<<<1, 8>>>();
  read<<<1, 8>>>(integers, fractions, blended);
  cudaDeviceSynchronize();
  for (int i = 0; i < 8; ++i) {
    expect(integers[i] == numbers[i], "integers", i);
    expect(fractions[i] == bytes[1][i] / 255.0f, "fractions", i);
    expect(blended[i] == (i < 7 ? i * 4 + 2 : 28), "blended", i);
  }
  expect(cudaUnbindTexture(line) == cudaSuccess, "unbind", 0);
  return finish();
}
