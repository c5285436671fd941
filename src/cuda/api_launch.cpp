// Launches.
#include "function.hpp"
#include "runtime/arguments.hpp"

using namespace warpwright;
using namespace warpwright::cuda;

namespace {

// The arguments of a launch: a pointer to each, or all in one buffer, given through `extra`.
struct Arguments {
  void** parameters = nullptr;
  void** extra = nullptr;
};

// Of the pairs of names and values in `extra`; a name that there is not ends them.
struct Buffer {
  const void* start = nullptr;
  u64 size = 0;
};

Buffer bufferOf(void** extra) {
  Buffer buffer;
  for (; *extra == CU_LAUNCH_PARAM_BUFFER_POINTER || *extra == CU_LAUNCH_PARAM_BUFFER_SIZE; extra += 2) {
    if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER) {
      buffer.start = extra[1];
    } else {
      buffer.size = extra[1] ? *static_cast<const size_t*>(extra[1]) : 0;
    }
  }
  return *extra == CU_LAUNCH_PARAM_END ? buffer : Buffer{};
}

runtime::ParameterBlock parameterBlock(const isa::Function& kernel, const Arguments& arguments) {
  if (!arguments.extra) return runtime::gatherArguments(kernel, arguments.parameters);
  if (arguments.parameters)
    return {{}, "a launch passes its arguments in an array and in a buffer\n  remedy: pass null for kernelParams or for extra"};
  const Buffer buffer = bufferOf(arguments.extra);
  return runtime::copyArguments(kernel, buffer.start, buffer.size);
}

// The runtime's kernels (cudaGetFuncBySymbol, cudaGetKernel) may be launched here too: their handles are host addresses.
CUresult launchOfRuntime(CUfunction function, const exec::LaunchShape& shape, CUstream stream, const Arguments& arguments) {
  const auto extent = [](const Dim3& of) { return dim3(of.x, of.y, of.z); };
  const auto* const host = static_cast<const void*>(function);
  const dim3 grid = extent(shape.grid), block = extent(shape.block);
  const cudaError_t status = shape.cooperative
                                 ? cudaLaunchCooperativeKernel(host, grid, block, arguments.parameters, shape.dynamicSharedBytes, stream)
                                 : cudaLaunchKernel(host, grid, block, arguments.parameters, shape.dynamicSharedBytes, stream);
  return status == cudaErrorInvalidDeviceFunction ? CUDA_ERROR_INVALID_HANDLE : resultOf(status);
}

CUresult launch(CUfunction function, const exec::LaunchShape& shape, CUstream stream, const Arguments& arguments) {
  return call(Needs::context, [&](Driver& driver) {
    if (!driver.isAlive(function)) return launchOfRuntime(function, shape, stream, arguments);
    runtime::ParameterBlock parameters = parameterBlock(*function->function, arguments);
    if (!parameters.problem.empty()) {
      driver.access.explain(parameters.problem);
      return CUDA_ERROR_INVALID_VALUE;
    }
    const runtime::Launch launch{
        {shape, nullptr, function->function, std::move(parameters.bytes), static_cast<exec::CachePreference>(function->cacheConfig)},
        function->unit};
    return resultOf(driver.access.launch(launch, maxDynamicShared(driver, *function), stream));
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
  exec::LaunchShape shape{{config->gridDimX, config->gridDimY, config->gridDimZ},
                          {config->blockDimX, config->blockDimY, config->blockDimZ},
                          config->sharedMemBytes};
  for (unsigned int i = 0; i < config->numAttrs; ++i) {
    const CUlaunchAttribute& attribute = config->attrs[i];
    if (attribute.id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE) shape.cooperative = attribute.value.cooperative != 0;
    // Clusters change what a kernel computes; every other attribute is about time.
    const auto& cluster = attribute.value.clusterDim;
    if (attribute.id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION && cluster.x * cluster.y * cluster.z != 1) return CUDA_ERROR_NOT_SUPPORTED;
  }
  return launch(function, shape, config->hStream, {parameters, extra});
}

CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void* userData) {
  return call(Needs::context, [&](Driver& driver) {
    if (!function) return CUDA_ERROR_INVALID_VALUE;
    return resultOf(driver.access.callInOrder([=] { function(userData); }, stream));
  });
}
