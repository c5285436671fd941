__constant__ int offset = 100;
__device__ int square(int x) { return x * x; }
