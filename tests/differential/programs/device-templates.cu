// Kernels and device code as templates: types, numbers, packs and lambdas as arguments.
// nvcc: --extended-lambda
#include "check.hpp"

template <typename T, int kFactor>
__global__ void scale(T* data) {
  data[threadIdx.x] = data[threadIdx.x] * static_cast<T>(kFactor);
}

template <typename Function>
__global__ void transform(int* data, Function function) {
  data[threadIdx.x] = function(data[threadIdx.x]);
}

template <typename... Values>
__host__ __device__ auto sum(Values... values) {
  return (values + ... + 0);
}
__global__ void fold(int* out) { out[threadIdx.x] = sum(threadIdx.x, 2, short{3}, 'd'); }

template <int kDepth>
__host__ __device__ constexpr int factorial() {
  if constexpr (kDepth == 0) {
    return 1;
  } else {
    return kDepth * factorial<kDepth - 1>();
  }
}
__global__ void constants(int* out) { out[0] = factorial<10>(); }

template <typename T>
std::vector<T> scaled() {
  Buffer<T> data(table(32, [](size_t i) { return static_cast<T>(i); }));
  scale<T, 3><<<1, 32>>>(data);
  return data.read();
}

int main() {
  check::same(scaled<int>(), table(32, [](size_t i) { return static_cast<int>(3 * i); }), "int");
  check::same(scaled<float>(), table(32, [](size_t i) { return 3.0f * i; }), "float");
  check::same(scaled<unsigned char>(), table(32, [](size_t i) { return static_cast<unsigned char>(3 * i); }), "unsigned char");
  check::same(scaled<double>(), table(32, [](size_t i) { return 3.0 * i; }), "double");
  Buffer<int> data(table(32, [](size_t i) { return static_cast<int>(i); }));
  const int offset = 17;
  transform<<<1, 32>>>(data.get(), [=] __device__(int value) { return value * value + offset; });
  check::same(data.read(), table(32, [](size_t i) { return static_cast<int>(i * i + 17); }), "lambda");
  fold<<<1, 32>>>(data);
  check::same(data.read(), table(32, [](size_t i) { return static_cast<int>(i + 5 + 'd'); }), "fold");
  constants<<<1, 1>>>(data);
  check::that(data.read()[0] == 3628800, "constant");
  return check::finish();
}
