// printf in kernels: conversions, widths, strings, and lines of threads in order.
#include "check.hpp"

__global__ void numbers() {
  printf("%d %i %5d|%-5d|%05d %+d\n", 42, -7, 42, 42, 42, 42);
  printf("%u %x %X %#x %o\n", 3000000000u, 48879u, 48879u, 255u, 8u);
  printf("%lld %llu %llx %zu\n", -(1ll << 40), 1ull << 63, 0x123456789abcdefull, sizeof(double));
  printf("%f %.2f %10.3f %e %g %G\n", 1.5, 2.718281828, -3.14159, 12345.678, 0.0001, 1e20);
  printf("%c %s %10s|%-10s| %%\n", 'x', "text", "right", "left");
  printf("%hhd %hd %ld\n", static_cast<signed char>(-3), static_cast<short>(-300), -5l);
  printf("no arguments\n");
}

__global__ void threads() {
  if (threadIdx.x % 16 == 3) printf("block %d thread %d\n", blockIdx.x, threadIdx.x);
}

__global__ void returns(int* out) { *out = printf("%d%d\n", 1, 2); }

int main() {
  numbers<<<1, 1>>>();
  CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 2; ++i) {
    threads<<<1, 64>>>();
    CUDA(cudaDeviceSynchronize());
  }
  Buffer<int> out(1);
  returns<<<1, 1>>>(out);
  check::same(out.read(), {2}, "printf returns the number of its arguments");
  return check::finish();
}
