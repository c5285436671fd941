// Shuffles in the four modes, in sub-warps, of 32-bit, 64-bit and floating-point values.
#include "check.hpp"

__global__ void modes(int* out) {
  const int lane = threadIdx.x;
  int* row = out + lane;
  row[0] = __shfl_sync(~0u, lane * 10, 5);
  row[32] = __shfl_sync(~0u, lane * 10, lane + 3, 8);
  row[64] = __shfl_up_sync(~0u, lane, 4);
  row[96] = __shfl_down_sync(~0u, lane, 4, 16);
  row[128] = __shfl_xor_sync(~0u, lane, 21);
  row[160] = __shfl_up_sync(~0u, lane, 3, 4);
}

__global__ void wide(long long* integers, double* numbers) {
  const int lane = threadIdx.x;
  integers[lane] = __shfl_xor_sync(~0u, (1ll << 40) * lane - lane, 31);
  numbers[lane] = __shfl_down_sync(~0u, 0.1 * lane, 1);
  float sum = 0.5f * lane;
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
  numbers[32 + lane] = sum;
}

// Only the odd lanes take part.
__global__ void part(int* out) {
  out[threadIdx.x] = -1;
  if (threadIdx.x % 2 == 1) out[threadIdx.x] = __shfl_sync(0xaaaaaaaau, threadIdx.x * 3, 31 - threadIdx.x + 1);
}

int main() {
  Buffer<int> out(192);
  modes<<<1, 32>>>(out);
  check::same(out.read(), table(192, [](size_t index) {
    const int lane = static_cast<int>(index % 32);
    switch (index / 32) {
      case 0: return 50;
      case 1: return 10 * (lane / 8 * 8 + (lane + 3) % 8);
      case 2: return lane < 4 ? lane : lane - 4;
      case 3: return lane % 16 + 4 < 16 ? lane + 4 : lane;
      case 4: return lane ^ 21;
      default: return lane % 4 < 3 ? lane : lane - 3;
    }
  }), "modes");
  Buffer<long long> integers(32);
  Buffer<double> numbers(64);
  wide<<<1, 32>>>(integers, numbers);
  check::same(integers.read(), table(32, [](size_t lane) {
    const long long other = 31 - static_cast<long long>(lane);
    return (1ll << 40) * other - other;
  }), "64 bits");
  check::same(numbers.read(), table(64, [](size_t i) { return i < 31 ? 0.1 * static_cast<int>(i + 1) : i == 31 ? 0.1 * 31 : 248.0; }), "double");
  Buffer<int> some(32);
  part<<<1, 32>>>(some);
  check::same(some.read(), table(32, [](size_t i) { return i % 2 == 1 ? 3 * static_cast<int>((32 - i) % 32) : -1; }), "odd lanes");
  return check::finish();
}
