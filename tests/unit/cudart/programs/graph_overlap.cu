// Launches a graph of two kernels that do not depend on each other, then one of two that do, and prints how much longer the second takes.
#include <cstdio>

__global__ void spin(float* values, int rounds) {
  float x = values[threadIdx.x];
  for (int i = 0; i < rounds; ++i) x = x * 1.0001f + 0.5f;
  values[threadIdx.x] = x;
}

float millisecondsOf(bool dependent, float* first, float* second, cudaStream_t stream) {
  int rounds = 1000;
  void* ofFirst[] = {&first, &rounds};
  void* ofSecond[] = {&second, &rounds};
  cudaKernelNodeParams kernel{reinterpret_cast<void*>(spin), dim3(1), dim3(32), 0, ofFirst, nullptr};
  cudaGraph_t graph;
  cudaGraphNode_t one, other;
  cudaGraphCreate(&graph, 0);
  cudaGraphAddKernelNode(&one, graph, nullptr, 0, &kernel);
  kernel.kernelParams = ofSecond;
  cudaGraphAddKernelNode(&other, graph, &one, dependent, &kernel);
  cudaGraphExec_t instance;
  cudaGraphInstantiate(&instance, graph, 0);
  cudaEvent_t start, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  cudaEventRecord(start, stream);
  cudaGraphLaunch(instance, stream);
  cudaEventRecord(stop, stream);
  cudaEventSynchronize(stop);
  float milliseconds = 0;
  cudaEventElapsedTime(&milliseconds, start, stop);
  return milliseconds;
}

int main() {
  float *first = nullptr, *second = nullptr;
  cudaMalloc(&first, 128);
  cudaMalloc(&second, 128);
  cudaMemset(first, 0, 128);
  cudaMemset(second, 0, 128);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  const float apart = millisecondsOf(false, first, second, stream), behind = millisecondsOf(true, first, second, stream);
  std::printf("%.2f %d\n", behind / apart, cudaGetLastError());
}
