// Small kernels in streams of their own run side by side; in one stream they run one after the other.
#include <cstring>

#include "check.hpp"

constexpr int kKernels = 4, kThreads = 64, kRounds = 2000;

__global__ void spin(unsigned* data, int rounds) {
  unsigned value = data[threadIdx.x];
  for (int i = 0; i < rounds; ++i) value = value * 1664525u + 1013904223u;
  data[threadIdx.x] = value;
}

unsigned spun(unsigned value, int rounds) {
  for (int i = 0; i < rounds; ++i) value = value * 1664525u + 1013904223u;
  return value;
}

cudaStream_t streams[kKernels];
cudaEvent_t begin, end, done[kKernels];

// Milliseconds for copies to the device, kernels and copies back; the streams may all be one.
float timeOf(unsigned* pinned, unsigned* device, bool apart) {
  for (int i = 0; i < kKernels * kThreads; ++i) pinned[i] = static_cast<unsigned>(i);
  CUDA(cudaEventRecord(begin, streams[0]));
  for (int k = 0; k < kKernels; ++k) {
    const cudaStream_t stream = streams[apart ? k : 0];
    unsigned* const part = device + k * kThreads;
    CUDA(cudaMemcpyAsync(part, pinned + k * kThreads, kThreads * sizeof(unsigned), cudaMemcpyHostToDevice, stream));
    spin<<<1, kThreads, 0, stream>>>(part, kRounds);
    CUDA(cudaMemcpyAsync(pinned + k * kThreads, part, kThreads * sizeof(unsigned), cudaMemcpyDeviceToHost, stream));
    CUDA(cudaEventRecord(done[k], stream));
    CUDA(cudaStreamWaitEvent(streams[0], done[k], 0));
  }
  CUDA(cudaEventRecord(end, streams[0]));
  CUDA(cudaEventSynchronize(end));
  float milliseconds = 0;
  CUDA(cudaEventElapsedTime(&milliseconds, begin, end));
  return milliseconds;
}

int main() {
  for (cudaStream_t& stream : streams) CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  for (cudaEvent_t* event : {&begin, &end}) CUDA(cudaEventCreate(event));
  for (cudaEvent_t& event : done) CUDA(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  unsigned* pinned = nullptr;
  CUDA(cudaMallocHost(&pinned, kKernels * kThreads * sizeof(unsigned)));
  Buffer<unsigned> device(kKernels * kThreads);

  const auto wanted = table(kKernels * kThreads, [](size_t i) { return spun(static_cast<unsigned>(i), kRounds); });
  timeOf(pinned, device, false);  // code is loaded, caches are filled
  const float behind = timeOf(pinned, device, false);
  check::same(std::vector<unsigned>(pinned, pinned + wanted.size()), wanted, "values in one stream");
  const float beside = timeOf(pinned, device, true);
  check::same(std::vector<unsigned>(pinned, pinned + wanted.size()), wanted, "values in several streams");
  check::that(behind > 0.8f * kKernels * beside, "as many kernels as streams take the time of one");

  // What the legacy stream does comes before and after what blocking streams do.
  cudaStream_t blocking;
  CUDA(cudaStreamCreate(&blocking));
  CUDA(cudaMemset(device, 0, 256));
  spin<<<1, kThreads, 0, blocking>>>(device, 1);
  spin<<<1, kThreads>>>(device, 1);
  spin<<<1, kThreads, 0, blocking>>>(device, 1);
  unsigned host[kThreads];
  CUDA(cudaMemcpyAsync(host, device, sizeof host, cudaMemcpyDeviceToHost, blocking));
  CUDA(cudaStreamSynchronize(blocking));
  check::same(std::vector<unsigned>(host, host + kThreads), std::vector<unsigned>(kThreads, spun(0, 3)), "order of the legacy stream");

  // Memory that is not pinned may change once the call has returned.
  for (unsigned& value : host) value = 7;
  CUDA(cudaMemcpyAsync(device, host, sizeof host, cudaMemcpyHostToDevice, blocking));
  std::memset(host, 0, sizeof host);
  spin<<<1, kThreads, 0, blocking>>>(device, 2);
  CUDA(cudaMemcpyAsync(host, device, sizeof host, cudaMemcpyDeviceToHost, blocking));
  CUDA(cudaStreamDestroy(blocking));
  CUDA(cudaDeviceSynchronize());
  check::same(std::vector<unsigned>(host, host + kThreads), std::vector<unsigned>(kThreads, spun(7, 2)), "pageable memory");
  CUDA(cudaFreeHost(pinned));
  return check::finish();
}
