// Every atomic operation on 32 and 64-bit integers, in global and shared memory.
#include "check.hpp"

template <typename T>
__device__ void all(T* cells, T value) {
  atomicAdd(cells, value);
  atomicMin(cells + 1, value);
  atomicMax(cells + 2, value);
  atomicAnd(cells + 3, ~(T{1} << (value % 16)));
  atomicOr(cells + 4, T{1} << (value % 31));
  atomicXor(cells + 5, value * 77);
}

template <typename T>
__global__ void global(T* cells) {
  all(cells, static_cast<T>(blockIdx.x * blockDim.x + threadIdx.x + 3));
}

__global__ void words(int* cells, unsigned* wrapping) {
  __shared__ int own[6];
  if (threadIdx.x < 6) own[threadIdx.x] = threadIdx.x == 1 ? 1 << 30 : threadIdx.x == 3 ? -1 : 0;
  __syncthreads();
  all(own, static_cast<int>(threadIdx.x + 3));
  atomicSub(&own[0], 1);
  __syncthreads();
  if (threadIdx.x < 6) cells[threadIdx.x] = own[threadIdx.x];
  atomicInc(wrapping, 9);
  atomicDec(wrapping + 1, 6);
}

template <typename T>
std::vector<T> wanted(int threads) {
  std::vector<T> cells = {0, static_cast<T>(1 << 30), 0, static_cast<T>(-1), 0, 0};
  for (int i = 0; i < threads; ++i) {
    const T value = static_cast<T>(i + 3);
    cells[0] += value;
    cells[1] = value < cells[1] ? value : cells[1];
    cells[2] = value > cells[2] ? value : cells[2];
    cells[3] &= ~(T{1} << (value % 16));
    cells[4] |= T{1} << (value % 31);
    cells[5] ^= value * 77;
  }
  return cells;
}

template <typename T>
void checkGlobal(const char* what) {
  Buffer<T> cells(wanted<T>(0));
  global<T><<<5, 100>>>(cells);
  check::same(cells.read(), wanted<T>(500), what);
}

int main() {
  checkGlobal<int>("int");
  checkGlobal<unsigned>("unsigned");
  checkGlobal<unsigned long long>("unsigned long long");
  Buffer<int> cells(6);
  Buffer<unsigned> wrapping(2);
  words<<<1, 133>>>(cells, wrapping);
  auto shared = wanted<int>(133);
  shared[0] -= 133;
  check::same(cells.read(), shared, "shared memory");
  // 0, 1 … 9, 0: 133 steps of period 10; 0, 6, 5 … 0: 133 steps of period 7.
  check::same(wrapping.read(), {3, 0}, "atomicInc, atomicDec");
  return check::finish();
}
