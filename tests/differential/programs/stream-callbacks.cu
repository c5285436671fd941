// Functions of the host in a stream's order: cudaStreamAddCallback and cudaLaunchHostFunc.
#include "check.hpp"

__global__ void add(int* value, int amount) { *value += amount; }

struct Record {
  int* pinned;
  std::vector<int> seen;
};

void CUDART_CB onCallback(cudaStream_t, cudaError_t status, void* data) {
  auto* record = static_cast<Record*>(data);
  record->seen.push_back(status == cudaSuccess ? *record->pinned : -1);
}
void CUDART_CB onHostFunction(void* data) {
  auto* record = static_cast<Record*>(data);
  record->seen.push_back(1000 + *record->pinned);
}

int main() {
  cudaStream_t stream;
  CUDA(cudaStreamCreate(&stream));
  Buffer<int> value(1);
  Record record{};
  CUDA(cudaMallocHost(&record.pinned, sizeof(int)));
  for (int i = 1; i <= 3; ++i) {
    add<<<1, 1, 0, stream>>>(value, i);
    CUDA(cudaMemcpyAsync(record.pinned, value, sizeof(int), cudaMemcpyDeviceToHost, stream));
    CUDA(cudaStreamAddCallback(stream, onCallback, &record, 0));
    CUDA(cudaLaunchHostFunc(stream, onHostFunction, &record));
  }
  CUDA(cudaStreamSynchronize(stream));
  check::same(record.seen, {1, 1001, 3, 1003, 6, 1006}, "what the host saw");
  CUDA(cudaFreeHost(record.pinned));
  CUDA(cudaStreamDestroy(stream));
  return check::finish();
}
