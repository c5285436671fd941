// Device memory and error checks on the host side.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace workloads {

constexpr int kExitDeviceError = 3;

inline void checkCuda(cudaError_t status, const char* expression, const char* file, int line) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s:%d: %s failed: %s\n", file, line, expression, cudaGetErrorString(status));
  std::exit(kExitDeviceError);
}

#define WORKLOAD_CHECK(expression) ::workloads::checkCuda((expression), #expression, __FILE__, __LINE__)

// Ends a sequence of launches: reports what went wrong in any of them.
inline void finishKernels() {
  WORKLOAD_CHECK(cudaGetLastError());
  WORKLOAD_CHECK(cudaDeviceSynchronize());
}

// An array in device memory that lives as long as its owner.
template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(size_t count) : count_(count) { WORKLOAD_CHECK(cudaMalloc(&data_, count * sizeof(T))); }
  explicit DeviceArray(const std::vector<T>& values) : DeviceArray(values.size()) { upload(values); }
  ~DeviceArray() { cudaFree(data_); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  T* data() const { return data_; }
  size_t size() const { return count_; }

  void upload(const std::vector<T>& values) {
    WORKLOAD_CHECK(cudaMemcpy(data_, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
  }
  std::vector<T> download() const {
    std::vector<T> values(count_);
    WORKLOAD_CHECK(cudaMemcpy(values.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
  }

 private:
  T* data_ = nullptr;
  size_t count_ = 0;
};

inline int divideUp(int value, int divisor) { return (value + divisor - 1) / divisor; }

}  // namespace workloads
