#pragma once

inline __host__ __device__ int shifted(int value, int bias) { return 10 * value + bias; }

template <typename T>
__global__ void addOne(T* data) {
  data[threadIdx.x] += 1;
}

void fillOther(int* data);
void addOneOther(int* data);
const char* describe();
