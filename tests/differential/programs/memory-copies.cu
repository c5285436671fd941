// cudaMalloc, cudaFree and cudaMemcpy in every direction, also with the direction left to the runtime.
#include "check.hpp"

int main() {
  constexpr size_t kCount = 1000;
  const auto wanted = table(kCount, [](size_t i) { return static_cast<int>(i * i + 7); });
  int *first = nullptr, *second = nullptr;
  CUDA(cudaMalloc(&first, kCount * sizeof(int)));
  CUDA(cudaMalloc(&second, kCount * sizeof(int)));
  check::that(reinterpret_cast<size_t>(first) % 256 == 0 && reinterpret_cast<size_t>(second) % 256 == 0, "aligned to 256 bytes");
  check::that(first != second, "two allocations differ");

  std::vector<int> back(kCount), between(kCount);
  CUDA(cudaMemcpy(first, wanted.data(), kCount * sizeof(int), cudaMemcpyHostToDevice));
  CUDA(cudaMemcpy(second, first, kCount * sizeof(int), cudaMemcpyDeviceToDevice));
  CUDA(cudaMemcpy(between.data(), second, kCount * sizeof(int), cudaMemcpyDefault));
  CUDA(cudaMemcpy(back.data(), between.data(), kCount * sizeof(int), cudaMemcpyHostToHost));
  check::same(back, wanted, "through two buffers");

  CUDA(cudaMemcpy(second + 100, wanted.data(), 50 * sizeof(int), cudaMemcpyDefault));
  CUDA(cudaMemcpy(back.data(), second, kCount * sizeof(int), cudaMemcpyDeviceToHost));
  auto patched = wanted;
  for (size_t i = 0; i < 50; ++i) patched[100 + i] = wanted[i];
  check::same(back, patched, "a part of it");

  size_t freeBefore = 0, freeAfter = 0, total = 0;
  void* large = nullptr;
  CUDA(cudaMemGetInfo(&freeBefore, &total));
  CUDA(cudaMalloc(&large, size_t{64} << 20));
  CUDA(cudaMemGetInfo(&freeAfter, &total));
  check::that(freeBefore <= total && freeBefore - freeAfter >= size_t{64} << 20, "64 MB less are free");
  CUDA(cudaFree(large));
  CUDA(cudaMemGetInfo(&freeAfter, &total));
  check::that(freeBefore == freeAfter, "as much is free as before");

  void* nothing = &total;
  check::code(cudaMalloc(&nothing, 0), cudaSuccess, "no bytes");
  check::that(nothing == nullptr, "no bytes, no address");
  check::code(cudaFree(nullptr), cudaSuccess, "free nothing");
  CUDA(cudaFree(first));
  CUDA(cudaFree(second));
  return check::finish();
}
