// Arrays of a thread with computed subscripts live in local memory; addresses of locals go through functions.
#include "check.hpp"

__device__ __noinline__ void rotate(int* values, int count, int by) {
  int copy[24];
  for (int i = 0; i < count; ++i) copy[i] = values[i];
  for (int i = 0; i < count; ++i) values[i] = copy[(i + by) % count];
}

__global__ void shuffle(int* out) {
  int values[24];
  for (int i = 0; i < 24; ++i) values[i] = i * i;
  rotate(values, 24, threadIdx.x % 24);
  int sum = 0;
  for (int i = 0; i < 24; i += 1 + threadIdx.x % 3) sum = sum * 31 + values[i];
  out[threadIdx.x] = sum;
}

__global__ void bytes(unsigned char* out) {
  unsigned char text[40];
  for (int i = 0; i < 40; ++i) text[i] = static_cast<unsigned char>('a' + (i + threadIdx.x) % 26);
  for (int i = 0; i < 20; ++i) {
    const unsigned char swap = text[i];
    text[i] = text[39 - i];
    text[39 - i] = swap;
  }
  out[threadIdx.x] = text[(threadIdx.x * 11) % 40];
}

int main() {
  Buffer<int> out(64);
  shuffle<<<1, 64>>>(out);
  check::same(out.read(), table(64, [](size_t thread) {
    unsigned sum = 0;
    for (size_t i = 0; i < 24; i += 1 + thread % 3) {
      const size_t from = (i + thread % 24) % 24;
      sum = sum * 31 + static_cast<unsigned>(from * from);
    }
    return static_cast<int>(sum);
  }), "words");
  Buffer<unsigned char> letters(64);
  bytes<<<1, 64>>>(letters);
  check::same(letters.read(), table(64, [](size_t thread) {
    return static_cast<unsigned char>('a' + (39 - thread * 11 % 40 + thread) % 26);
  }), "bytes");
  return check::finish();
}
