// Kernel handles. The handle of a kernel is the host address that stands for it, so that every function takes either.
#include "context.hpp"
#include "start_up_api.hpp"

using namespace warpwright;
using namespace warpwright::cudart;

namespace {

template <typename Handle>
cudaError_t giveHandle(Handle* handle, const void* host) {
  return call([&](Context& context) {
    if (!handle) return cudaErrorInvalidValue;
    *handle = reinterpret_cast<Handle>(const_cast<void*>(host));
    return context.registry.kernel(host) ? cudaSuccess : cudaErrorInvalidDeviceFunction;
  });
}

}  // namespace

cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* host) { return giveHandle(kernel, host); }

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, size_t sharedBytes, cudaStream_t stream) {
  return cudaLaunchKernel(kernel, grid, block, arguments, sharedBytes, stream);
}

cudaError_t cudaGetKernel(cudaKernel_t* kernel, const void* host) { return giveHandle(kernel, host); }

cudaError_t cudaGetFuncBySymbol(cudaFunction_t* function, const void* host) { return giveHandle(function, host); }
