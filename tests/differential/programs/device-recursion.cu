// Recursion: of a function into itself with different depth in each thread, and of two into each other.
#include "check.hpp"

__host__ __device__ int ackermann(int m, int n) {
  if (m == 0) return n + 1;
  return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
__host__ __device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

__host__ __device__ bool isOdd(int n);
__host__ __device__ __noinline__ bool isEven(int n) { return n == 0 || isOdd(n - 1); }
__host__ __device__ __noinline__ bool isOdd(int n) { return n != 0 && isEven(n - 1); }

__host__ __device__ void sort(int* values, int low, int high) {
  if (low >= high) return;
  const int pivot = values[(low + high) / 2];
  int i = low, j = high;
  while (i <= j) {
    while (values[i] < pivot) ++i;
    while (values[j] > pivot) --j;
    if (i > j) break;
    const int swap = values[i];
    values[i++] = values[j];
    values[j--] = swap;
  }
  sort(values, low, j);
  sort(values, i, high);
}

__global__ void numbers(int* out) {
  const int i = threadIdx.x;
  out[i] = i % 4 == 0 ? ackermann(2, i / 8) : i % 4 == 1 ? fibonacci(i / 4) : i % 4 == 2 ? isEven(i) : isOdd(i);
}
__global__ void sortRows(int* rows) { sort(rows + 50 * threadIdx.x, 0, 49); }

int main() {
  CUDA(cudaDeviceSetLimit(cudaLimitStackSize, 16384));
  Buffer<int> out(64);
  numbers<<<1, 64>>>(out);
  check::same(out.read(), table(64, [](size_t index) {
    const int i = static_cast<int>(index);
    // Closed forms: A(2, n) = 2n + 3; the parity of i.
    int a = 0, b = 1;
    for (int k = 0; k < i / 4; ++k) b = a + b, a = b - a;
    return i % 4 == 0 ? 2 * (i / 8) + 3 : i % 4 == 1 ? a : 1;
  }), "numbers");
  const auto unsorted = table(50 * 16, [](size_t i) { return static_cast<int>(i * 7919 % 1009 * (i % 3 + 1)); });
  Buffer<int> rows(unsorted);
  sortRows<<<1, 16>>>(rows);
  auto wanted = unsorted;
  for (int row = 0; row < 16; ++row) {
    int* first = wanted.data() + 50 * row;
    for (int i = 1; i < 50; ++i) {
      for (int j = i; j > 0 && first[j] < first[j - 1]; --j) {
        const int swap = first[j];
        first[j] = first[j - 1];
        first[j - 1] = swap;
      }
    }
  }
  check::same(rows.read(), wanted, "sorted");
  return check::finish();
}
