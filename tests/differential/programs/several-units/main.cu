// Two CUDA files and a C++ file: kernels and static variables of the same name in each, and a template that both instantiate.
#include "../check.hpp"
#include "parts.hpp"

static __device__ int bias = 1;
static __global__ void fill(int* data) { data[threadIdx.x] = shifted(static_cast<int>(threadIdx.x), bias); }

int main() {
  Buffer<int> first(32), second(32);
  fill<<<1, 32>>>(first);
  fillOther(second);
  check::same(first.read(), table(32, [](size_t i) { return static_cast<int>(10 * i + 1); }), "this file's kernel");
  check::same(second.read(), table(32, [](size_t i) { return static_cast<int>(10 * i + 1000); }), "the other file's kernel");
  addOne<int><<<1, 32>>>(first);
  addOneOther(first);
  check::same(first.read(), table(32, [](size_t i) { return static_cast<int>(10 * i + 3); }), "a template in both");
  std::printf("%s\n", describe());
  return check::finish();
}
