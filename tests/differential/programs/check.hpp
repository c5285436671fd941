// What the programs share: checks against values of the host's own, and output that is the same on every run.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace check {

inline int failures = 0;

inline void cuda(cudaError_t status, const char* call, int line) {
  if (status == cudaSuccess) return;
  std::printf("line %d: %s: %s\n", line, call, cudaGetErrorName(status));
  std::exit(2);
}

// Prints `what` and whether it holds.
inline void that(bool holds, const char* what) {
  std::printf("%s: %s\n", what, holds ? "yes" : "NO");
  failures += !holds;
}

// An error code that a call must give.
inline void code(cudaError_t got, cudaError_t wanted, const char* what) {
  std::printf("%s: %s\n", what, cudaGetErrorName(got));
  if (got == wanted) return;
  std::printf("  wanted %s\n", cudaGetErrorName(wanted));
  ++failures;
}

// Bit for bit; prints a hash of what the device computed (FNV-1a), so that two builds are compared by all of it.
template <typename T>
void same(const std::vector<T>& got, const std::vector<T>& wanted, const char* what) {
  unsigned long long hash = 0xcbf29ce484222325ull;
  const auto* bytes = reinterpret_cast<const unsigned char*>(got.data());
  for (size_t i = 0; i < got.size() * sizeof(T); ++i) hash = (hash ^ bytes[i]) * 0x100000001b3ull;
  std::printf("%s: %zu values, hash %016llx\n", what, got.size(), hash);
  if (got.size() != wanted.size()) {
    std::printf("  wanted %zu values\n", wanted.size());
    ++failures;
    return;
  }
  int shown = 0;
  for (size_t i = 0; i < got.size(); ++i) {
    if (std::memcmp(&got[i], &wanted[i], sizeof(T)) == 0) continue;
    unsigned long long pair[2] = {};
    std::memcpy(&pair[0], &got[i], sizeof(T) < 8 ? sizeof(T) : 8);
    std::memcpy(&pair[1], &wanted[i], sizeof(T) < 8 ? sizeof(T) : 8);
    if (++shown <= 4) std::printf("  [%zu] is 0x%llx, wanted 0x%llx\n", i, pair[0], pair[1]);
  }
  failures += shown;
}

inline int finish() {
  const cudaError_t status = cudaDeviceSynchronize();
  if (status != cudaSuccess) std::printf("at the end: %s\n", cudaGetErrorName(status));
  std::printf("%d failures\n", failures);
  return failures == 0 && status == cudaSuccess ? 0 : 1;
}

}  // namespace check

#define CUDA(call) check::cuda((call), #call, __LINE__)

// Device memory for `count` values; freed with the object.
template <typename T>
class Buffer {
 public:
  explicit Buffer(size_t count) : count_(count) {
    CUDA(cudaMalloc(&data_, count * sizeof(T)));
    CUDA(cudaMemset(data_, 0, count * sizeof(T)));
  }
  explicit Buffer(const std::vector<T>& values) : Buffer(values.size()) {
    CUDA(cudaMemcpy(data_, values.data(), count_ * sizeof(T), cudaMemcpyHostToDevice));
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { cudaFree(data_); }

  operator T*() const { return data_; }
  T* get() const { return data_; }
  std::vector<T> read() const {
    std::vector<T> values(count_);
    CUDA(cudaMemcpy(values.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
  }

 private:
  size_t count_;
  T* data_ = nullptr;
};

// The host's own list of `count` values of a function of the index.
template <typename Function>
auto table(size_t count, Function function) {
  std::vector<decltype(function(size_t{}))> values(count);
  for (size_t i = 0; i < count; ++i) values[i] = function(i);
  return values;
}
