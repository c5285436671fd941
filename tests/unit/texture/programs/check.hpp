// What the programs share: each returns the number of wrong values.
#pragma once

#include <cmath>
#include <cstdio>

inline int failures = 0;

inline void expect(bool holds, const char* what, int index) {
  if (holds) return;
  if (++failures < 10) std::printf("wrong: %s at %d\n", what, index);
}

inline int finish() {
  const cudaError_t status = cudaDeviceSynchronize();
  if (status != cudaSuccess) std::printf("error: %s\n", cudaGetErrorString(status));
  std::printf("%d failures\n", failures);
  return failures == 0 && status == cudaSuccess ? 0 : 1;
}
