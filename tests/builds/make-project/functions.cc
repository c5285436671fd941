#include <functions.h>

__device__ int calls = 0;
__device__ int twice(int value) {
  atomicAdd(&calls, 1);
  return 2 * bounded(value, 5);
}
