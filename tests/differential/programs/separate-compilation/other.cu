#include "../check.hpp"
#include "device.hpp"

__device__ float entries[4] = {0.5f, 1.5f, 2.5f, 3.5f};
__device__ float addSix(float value) { return value + 6; }
__device__ Operation operation = addSix;

__device__ float twice(float value) { return 2 * value; }
__device__ int depth(int level) { return 1 + depthBack(level); }

__global__ void other(float* out) { out[threadIdx.x] = scale * threadIdx.x + counter; }
void launchOther(float* out) { other<<<1, 32>>>(out); }
