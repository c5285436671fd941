#pragma once

constexpr int bounded(int value, int limit) { return value < limit ? value : limit; }
extern __device__ int calls;
__device__ int twice(int value);
