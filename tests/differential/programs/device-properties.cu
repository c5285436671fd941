// The properties agree with the attributes, and the limits with what a launch accepts.
#include "check.hpp"

__global__ void nothing() {}

int attribute(cudaDeviceAttr which) {
  int value = -1;
  CUDA(cudaDeviceGetAttribute(&value, which, 0));
  return value;
}

int main() {
  int count = 0, current = -1;
  CUDA(cudaGetDeviceCount(&count));
  CUDA(cudaSetDevice(0));
  CUDA(cudaGetDevice(&current));
  check::that(count == 1 && current == 0, "one device");
  cudaDeviceProp p{};
  CUDA(cudaGetDeviceProperties(&p, 0));
  std::printf("%s, compute capability %d.%d, %d SMs\n", p.name, p.major, p.minor, p.multiProcessorCount);
  check::that(p.warpSize == 32 && attribute(cudaDevAttrWarpSize) == 32, "warp");
  check::that(p.major == attribute(cudaDevAttrComputeCapabilityMajor) && p.minor == attribute(cudaDevAttrComputeCapabilityMinor), "version");
  check::that(p.multiProcessorCount == attribute(cudaDevAttrMultiProcessorCount), "multiprocessors");
  check::that(p.maxThreadsPerBlock == attribute(cudaDevAttrMaxThreadsPerBlock), "threads of a block");
  check::that(p.maxThreadsDim[0] == attribute(cudaDevAttrMaxBlockDimX) && p.maxThreadsDim[2] == attribute(cudaDevAttrMaxBlockDimZ), "block");
  check::that(p.maxGridSize[0] == attribute(cudaDevAttrMaxGridDimX) && p.maxGridSize[1] == attribute(cudaDevAttrMaxGridDimY), "grid");
  check::that(static_cast<int>(p.sharedMemPerBlock) == attribute(cudaDevAttrMaxSharedMemoryPerBlock), "shared memory of a block");
  check::that(static_cast<int>(p.sharedMemPerMultiprocessor) == attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor), "of an SM");
  check::that(p.regsPerBlock == attribute(cudaDevAttrMaxRegistersPerBlock), "registers");
  check::that(p.l2CacheSize == attribute(cudaDevAttrL2CacheSize), "second-level cache");
  check::that(p.unifiedAddressing == 1 && p.managedMemory == 1 && p.canMapHostMemory == 1, "one address space");
  size_t free = 0, total = 0;
  CUDA(cudaMemGetInfo(&free, &total));
  check::that(total == p.totalGlobalMem, "memory");

  nothing<<<1, dim3(1, 1, p.maxThreadsDim[2])>>>();
  check::code(cudaGetLastError(), cudaSuccess, "the deepest block");
  nothing<<<1, dim3(1, 1, p.maxThreadsDim[2] + 1)>>>();
  check::code(cudaGetLastError(), cudaErrorInvalidConfiguration, "one deeper");
  nothing<<<dim3(1, p.maxGridSize[1] + 1), 1>>>();
  check::code(cudaGetLastError(), cudaErrorInvalidConfiguration, "a grid too high");
  return check::finish();
}
