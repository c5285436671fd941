#pragma once

extern __managed__ int shared_total;
extern __constant__ int table_of_both[4];
void launchOther(int* out);
int hiddenOfOther();
void setHiddenOfOther(int value);

// In both units, but one function, one variable and one kernel of the program.
__device__ inline int inlineSum(int a, int b) { return a + b; }
template <typename T>
__global__ void fillWith(T* out, T value) {
  out[threadIdx.x] = inlineSum(value, threadIdx.x);
}
