// Handles that are gone, pitches that are too small, symbols and directions that are wrong: CUDA's own codes, and none of them stays.
#include "check.hpp"

__device__ int counter;
__global__ void mark(int* data) { data[threadIdx.x] = 7; }

void streamsAndEvents(int* data) {
  cudaStream_t stream;
  cudaEvent_t event, never;
  float milliseconds = 0;
  CUDA(cudaStreamCreate(&stream));
  CUDA(cudaEventCreate(&event));
  CUDA(cudaEventCreate(&never));
  CUDA(cudaEventRecord(event));
  check::code(cudaEventElapsedTime(&milliseconds, event, never), cudaErrorInvalidResourceHandle, "an event never recorded");
  CUDA(cudaStreamDestroy(stream));
  CUDA(cudaEventDestroy(event));
  check::code(cudaStreamSynchronize(stream), cudaErrorInvalidResourceHandle, "wait for a destroyed stream");
  mark<<<1, 32, 0, stream>>>(data);
  check::code(cudaGetLastError(), cudaErrorInvalidResourceHandle, "launch in it");
  check::code(cudaStreamDestroy(stream), cudaErrorInvalidResourceHandle, "destroy it again");
  check::code(cudaEventRecord(event), cudaErrorInvalidResourceHandle, "record a destroyed event");
  check::code(cudaEventDestroy(event), cudaErrorInvalidResourceHandle, "destroy it again");
  CUDA(cudaEventDestroy(never));
}

void copies(int* data) {
  int host[8] = {}, value = 1;
  check::code(cudaMemcpy(host, data, 16, cudaMemcpyHostToDevice), cudaErrorInvalidValue, "the wrong direction");
  check::code(cudaMemcpy2D(data, 15, host, 16, 16, 2, cudaMemcpyHostToDevice), cudaErrorInvalidPitchValue, "rows wider than their pitch");
  check::code(cudaMemcpy2D(data, 16, host, 15, 16, 2, cudaMemcpyHostToDevice), cudaErrorInvalidPitchValue, "and those of the source");
  check::code(cudaMemcpyToSymbol(static_cast<const void*>(host), &value, 4), cudaErrorInvalidSymbol, "no symbol");
  check::code(cudaMemcpyToSymbol(counter, &value, 8), cudaErrorInvalidValue, "more than the symbol has");
  check::code(cudaMemcpyToSymbol(counter, &value, 4), cudaSuccess, "a symbol");
}

int main() {
  Buffer<int> data(32);
  streamsAndEvents(data);
  copies(data);
  check::code(cudaSetDevice(1), cudaErrorInvalidDevice, "the second device");
  cudaGetLastError();
  mark<<<1, 32>>>(data);
  check::code(cudaGetLastError(), cudaSuccess, "a correct launch");
  check::same(data.read(), std::vector<int>(32, 7), "what it wrote");
  return check::finish();
}
