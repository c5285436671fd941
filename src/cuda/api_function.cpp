// Functions and their attributes.
#include <algorithm>

#include "call.hpp"
#include "function.hpp"

using namespace warpwright;
using namespace warpwright::cuda;

namespace warpwright::cuda {

u64 maxDynamicShared(Driver& driver, const CUfunc_st& function) {
  const u64 byDefault = driver.access.machine().sharedBytesPerBlock;
  return function.maxDynamicSharedBytes.value_or(byDefault - std::min(byDefault, function.function->sharedBytes));
}

u32 maxThreads(Driver& driver, const CUfunc_st& function) {
  const config::Machine& machine = driver.access.machine();
  u32 threads = machine.threadsPerBlock;
  const u64 bound = function.function->maxThreads.count();
  if (bound > 0) threads = std::min(threads, static_cast<u32>(bound));
  while (threads > machine.warpSize && driver.access.blocksPerMultiprocessor(function.module->device, *function.function, threads, 0) == 0)
    threads -= machine.warpSize;
  return threads;
}

exec::LaunchShape shapeOf(const CUlaunchConfig& config) {
  exec::LaunchShape shape{
      {config.gridDimX, config.gridDimY, config.gridDimZ}, {config.blockDimX, config.blockDimY, config.blockDimZ}, config.sharedMemBytes};
  for (unsigned int i = 0; i < config.numAttrs; ++i) {
    const CUlaunchAttribute& attribute = config.attrs[i];
    const auto& cluster = attribute.value.clusterDim;
    if (attribute.id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE) shape.cooperative = attribute.value.cooperative != 0;
    if (attribute.id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION) shape.cluster = {cluster.x, cluster.y, cluster.z};
  }
  return shape;
}

}  // namespace warpwright::cuda

namespace {

std::optional<u64> attributeOf(Driver& driver, const CUfunc_st& handle, CUfunction_attribute attribute) {
  const isa::Function& function = *handle.function;
  const isa::Program& program = handle.unit->loaded->program;
  const config::Machine& machine = driver.access.machine();
  switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
      return maxThreads(driver, handle);
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
      return function.sharedBytes;
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
      return program.constantBytes;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
      return function.localBytes;
    case CU_FUNC_ATTRIBUTE_NUM_REGS:
      return function.registers;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION:
      return program.smVersion;
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
      return machine.computeMajor * 10 + machine.computeMinor;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      return maxDynamicShared(driver, handle);
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
      return static_cast<u64>(handle.sharedCarveout);
    case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA:
      return 0;
    default:
      return cudart::valueOf(function, handle.clusters, static_cast<cudart::ClusterAttribute>(attribute));
  }
}

}  // namespace

CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction function) {
  return withFunction(function, value, [&](Driver& driver) {
    const auto found = attributeOf(driver, *function, attribute);
    if (!found) return CUDA_ERROR_INVALID_VALUE;
    *value = static_cast<int>(*found);
    return CUDA_SUCCESS;
  });
}

CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
  return withFunction(function, true, [&](Driver& driver) {
    if (attribute == CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT) {
      if (value < -1 || value > 100) return CUDA_ERROR_INVALID_VALUE;
      function->sharedCarveout = value;
      return CUDA_SUCCESS;
    }
    if (attribute != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES) {
      const auto ofCluster = static_cast<cudart::ClusterAttribute>(attribute);
      return cudart::setAttribute(*function->function, function->clusters, ofCluster, value) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    }
    const u64 most = driver.access.machine().sharedBytesPerBlockOptin;
    if (value < 0 || static_cast<u64>(value) + function->function->sharedBytes > most) return CUDA_ERROR_INVALID_VALUE;
    function->maxDynamicSharedBytes = static_cast<u64>(value);
    return CUDA_SUCCESS;
  });
}

CUresult cuFuncSetCacheConfig(CUfunction function, CUfunc_cache config) {
  const bool known = config >= CU_FUNC_CACHE_PREFER_NONE && config <= CU_FUNC_CACHE_PREFER_EQUAL;
  return withFunction(function, known, [&](Driver&) {
    function->cacheConfig = config;
    return CUDA_SUCCESS;
  });
}

CUresult cuFuncGetModule(CUmodule* module, CUfunction function) {
  return withFunction(function, module, [&](Driver&) {
    *module = function->module;
    return CUDA_SUCCESS;
  });
}

CUresult cuFuncGetName(const char** name, CUfunction function) {
  return withFunction(function, name, [&](Driver&) {
    *name = function->function->name.c_str();
    return CUDA_SUCCESS;
  });
}

CUresult cuFuncGetParamInfo(CUfunction function, size_t index, size_t* offset, size_t* size) {
  return withFunction(function, offset, [&](Driver&) {
    const auto& parameters = function->function->parameters;
    if (index >= parameters.size()) return CUDA_ERROR_INVALID_VALUE;
    *offset = parameters[index].offset;
    if (size) *size = parameters[index].size;
    return CUDA_SUCCESS;
  });
}

CUresult cuFuncIsLoaded(CUfunctionLoadingState* state, CUfunction function) {
  return withFunction(function, state, [&](Driver&) {
    *state = CU_FUNCTION_LOADING_STATE_LOADED;
    return CUDA_SUCCESS;
  });
}

CUresult cuFuncLoad(CUfunction function) {
  return withFunction(function, true, [](Driver&) { return CUDA_SUCCESS; });
}
