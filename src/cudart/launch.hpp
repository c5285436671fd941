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

// What the configuration of an extended launch says: extents, and of its attributes what is not about time.
exec::LaunchShape shapeOf(const cudaLaunchConfig_t& config);

// Calls launch without waiting; what happens inside the kernel becomes the context's sticky error, which the next call returns.
cudaError_t launchKernel(Context& context, const KernelLaunch& launch);

// A launch of a kernel that is found and whose parameters are gathered.
struct KernelCall {
  const void* function = nullptr;  // as the program names it: its host address, or a handle of the driver API
  runtime::Launch launch;
  u32 device = 0;                   // the ordinal of the one that has the module
  u64 maxDynamicShared = 0;         // what it may ask for, in bytes
  bool nonPortableCluster = false;  // its clusters may have more blocks than every machine allows
  u32 module = 0;                   // its id: the module may be gone when a graph is launched
  std::vector<void*> arguments{};   // into the parameters: what a program gets that asks for a node's
};

// The call of a kernel that these describe, with its arguments as pointers or, where there are none, in the buffer of `extra`.
struct KernelArguments {
  void** pointers = nullptr;
  void** extra = nullptr;
};
cudaError_t describe(Context& context, const void* function, const exec::LaunchShape& shape, const KernelArguments& arguments,
                     KernelCall& described);

// What forbids it, which is printed.
cudaError_t check(Context& context, const KernelCall& kernel);
// The work of a launch that has been checked and is issued now.
Start startOf(Context& context, const KernelCall& kernel);
cudaError_t issueLaunch(Context& context, KernelCall kernel, cudaStream_t stream);

// The error that a kernel's end is; success for completed.
cudaError_t statusOf(exec::LaunchStatus status);

// A kernel whose module is loaded on the current device. Null and a status otherwise.
struct LoadedKernel {
  cudaError_t status = cudaSuccess;
  Kernel* kernel = nullptr;
  const runtime::Module* module = nullptr;
  const isa::Function* function = nullptr;
};
LoadedKernel loadKernel(Context& context, const void* host);

// Dynamic shared memory that a loaded kernel may be launched with: what cudaFuncSetAttribute allowed, else what its static shared memory
// leaves of the machine's default for a block.
u64 maxDynamicShared(Context& context, const LoadedKernel& loaded);

}  // namespace warpwright::cudart
