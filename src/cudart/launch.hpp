// Kernels as the API sees them: found by host address, compiled at first use, launched on the device.
#pragma once

#include "context.hpp"

namespace warpwright::cudart {

// A launch by the kernel's name in the host program.
struct KernelLaunch {
  const void* kernel = nullptr;  // host address
  exec::LaunchShape shape;
  void** arguments = nullptr;
  cudaStream_t stream = nullptr;
};

// Calls launch without waiting; what happens inside the kernel becomes the context's sticky error, which the next call returns.
cudaError_t launchKernel(Context& context, const KernelLaunch& launch);

// The same for a kernel that is found and whose parameters are gathered. `maxDynamicShared`: what the launch may ask for, in bytes.
cudaError_t issueLaunch(Context& context, runtime::Launch launch, u64 maxDynamicShared, cudaStream_t stream);

// The error that a kernel's end is; success for completed.
cudaError_t statusOf(exec::LaunchStatus status);

// A kernel whose module is loaded: kernel->function is set. Null and a status otherwise.
struct LoadedKernel {
  cudaError_t status = cudaSuccess;
  Kernel* kernel = nullptr;
};
LoadedKernel loadKernel(Context& context, const void* host);

// Dynamic shared memory that a loaded kernel may be launched with: what cudaFuncSetAttribute allowed, else what its static shared memory
// leaves of the machine's default for a block.
u64 maxDynamicShared(Context& context, const Kernel& kernel);

}  // namespace warpwright::cudart
