// Work of two streams ordered by events; a stream's flags and priority.
#include "check.hpp"

__global__ void append(int* log, int* length, int value) { log[(*length)++] = value; }
__global__ void twice(int* data) { data[threadIdx.x] *= 2; }
__global__ void add(int* to, const int* from) { to[threadIdx.x] += from[threadIdx.x]; }

int main() {
  cudaStream_t first, second;
  cudaEvent_t done, back;
  CUDA(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
  CUDA(cudaStreamCreateWithPriority(&second, cudaStreamDefault, 0));
  CUDA(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
  CUDA(cudaEventCreate(&back));

  Buffer<int> log(16), length(1);
  for (int i = 0; i < 4; ++i) {
    append<<<1, 1, 0, first>>>(log, length, i);
    CUDA(cudaEventRecord(done, first));
    CUDA(cudaStreamWaitEvent(second, done, 0));
    append<<<1, 1, 0, second>>>(log, length, 100 + i);
    CUDA(cudaEventRecord(back, second));
    CUDA(cudaStreamWaitEvent(first, back, 0));
  }
  CUDA(cudaStreamSynchronize(first));
  CUDA(cudaStreamSynchronize(second));
  check::same(log.read(), {0, 100, 1, 101, 2, 102, 3, 103, 0, 0, 0, 0, 0, 0, 0, 0}, "order");

  int* pinned = nullptr;
  CUDA(cudaMallocHost(&pinned, 64 * sizeof(int)));
  for (int i = 0; i < 64; ++i) pinned[i] = i;
  Buffer<int> a(64), b(64);
  CUDA(cudaMemcpyAsync(a, pinned, 256, cudaMemcpyHostToDevice, first));
  twice<<<1, 64, 0, first>>>(a);
  CUDA(cudaEventRecord(done, first));
  CUDA(cudaStreamWaitEvent(second, done, 0));
  add<<<1, 64, 0, second>>>(b, a);
  add<<<1, 64, 0, second>>>(b, a);
  CUDA(cudaMemcpyAsync(pinned, b, 256, cudaMemcpyDeviceToHost, second));
  CUDA(cudaStreamSynchronize(second));
  check::same(std::vector<int>(pinned, pinned + 64), table(64, [](size_t i) { return static_cast<int>(4 * i); }), "values");
  check::code(cudaStreamQuery(second), cudaSuccess, "query");

  unsigned flags = 0;
  CUDA(cudaStreamGetFlags(first, &flags));
  check::that(flags == cudaStreamNonBlocking, "flags");
  CUDA(cudaStreamGetFlags(second, &flags));
  check::that(flags == cudaStreamDefault, "default flags");
  CUDA(cudaFreeHost(pinned));
  CUDA(cudaStreamDestroy(first));
  CUDA(cudaStreamDestroy(second));
  CUDA(cudaEventDestroy(done));
  CUDA(cudaEventDestroy(back));
  return check::finish();
}
