// Launches.
#include "function.hpp"

using namespace warpwright;
using namespace warpwright::cuda;

namespace {

// The arguments of a launch: a pointer to each, or all in one buffer, given through `extra`.
struct Arguments {
  void** parameters = nullptr;
  void** extra = nullptr;
};

// The runtime's kernels (cudaGetFuncBySymbol, cudaGetKernel) may be launched here too: their handles are host addresses.
CUresult launch(CUfunction function, const exec::LaunchShape& shape, CUstream stream, const Arguments& arguments) {
  return call(Needs::context, [&](Driver& driver) {
    const cudaError_t status = driver.access.launch(function, shape, arguments.parameters, arguments.extra, stream);
    return status == cudaErrorInvalidDeviceFunction ? CUDA_ERROR_INVALID_HANDLE : resultOf(status);
  });
}

}  // namespace

CUresult cuLaunchKernel(CUfunction function, unsigned int gridX, unsigned int gridY, unsigned int gridZ, unsigned int blockX,
                        unsigned int blockY, unsigned int blockZ, unsigned int sharedBytes, CUstream stream, void** parameters,
                        void** extra) {
  return launch(function, {{gridX, gridY, gridZ}, {blockX, blockY, blockZ}, sharedBytes}, stream, {parameters, extra});
}

CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned int gridX, unsigned int gridY, unsigned int gridZ, unsigned int blockX,
                                   unsigned int blockY, unsigned int blockZ, unsigned int sharedBytes, CUstream stream, void** parameters) {
  return launch(function, {{gridX, gridY, gridZ}, {blockX, blockY, blockZ}, sharedBytes, true}, stream, {parameters, nullptr});
}

CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction function, void** parameters, void** extra) {
  if (!config || (config->numAttrs > 0 && !config->attrs)) return CUDA_ERROR_INVALID_VALUE;
  return launch(function, shapeOf(*config), config->hStream, {parameters, extra});
}

CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void* userData) {
  return forward(Needs::context, [&] { return cudaLaunchHostFunc(stream, function, userData); });
}
