// Launches as before CUDA 7, and other old names.
#include <cstring>
#include <vector>

#include "cuda_runtime_api.h"
#include "launch.hpp"

using namespace warpwright;
using namespace warpwright::cudart;

namespace {

struct Configuration {
  dim3 grid, block;
  size_t sharedBytes = 0;
  cudaStream_t stream = nullptr;
  std::vector<std::byte> parameters;
};

// Between cudaConfigureCall and cudaLaunch; a stack, because an argument may be the result of another launch.
thread_local std::vector<Configuration> configurations;

// The largest block of parameters (CUDA C++ Programming Guide, "Function Parameters": 32,764 bytes from compute capability 7.0 on).
constexpr size_t kMostParameterBytes = 32764;

cudaError_t launch(Context& context, const void* host, Configuration& given) {
  const LoadedKernel loaded = loadKernel(context, host);
  if (loaded.status != cudaSuccess) return loaded.status;
  std::vector<void*> arguments;
  for (const isa::Parameter& parameter : loaded.function->parameters) {
    if (parameter.offset + parameter.size > given.parameters.size()) return cudaErrorInvalidValue;
    arguments.push_back(given.parameters.data() + parameter.offset);
  }
  const auto extent = [](const dim3& of) { return Dim3{of.x, of.y, of.z}; };
  return launchKernel(context, {host, {extent(given.grid), extent(given.block), given.sharedBytes}, arguments.data(), given.stream});
}

}  // namespace

cudaError_t cudaConfigureCall(dim3 grid, dim3 block, size_t sharedBytes, cudaStream_t stream) {
  configurations.push_back({grid, block, sharedBytes, stream, {}});
  return record(cudaSuccess);
}

cudaError_t cudaSetupArgument(const void* argument, size_t size, size_t offset) {
  if (configurations.empty()) return record(cudaErrorMissingConfiguration);
  if (!argument || offset > kMostParameterBytes || size > kMostParameterBytes - offset) return record(cudaErrorInvalidValue);
  auto& parameters = configurations.back().parameters;
  if (parameters.size() < offset + size) parameters.resize(offset + size);
  std::memcpy(parameters.data() + offset, argument, size);
  return cudaSuccess;
}

cudaError_t cudaLaunch(const void* kernel) {
  if (configurations.empty()) return record(cudaErrorMissingConfiguration);
  Configuration configuration = std::move(configurations.back());
  configurations.pop_back();
  return call([&](Context& context) { return launch(context, kernel, configuration); });
}

cudaError_t cudaSetDoubleForDevice(double* value) { return record(value ? cudaSuccess : cudaErrorInvalidValue); }
cudaError_t cudaSetDoubleForHost(double* value) { return record(value ? cudaSuccess : cudaErrorInvalidValue); }

cudaError_t cudaThreadGetLimit(size_t* value, cudaLimit limit) { return cudaDeviceGetLimit(value, limit); }
cudaError_t cudaThreadSetLimit(cudaLimit limit, size_t value) { return cudaDeviceSetLimit(limit, value); }
cudaError_t cudaThreadGetCacheConfig(cudaFuncCache* config) { return cudaDeviceGetCacheConfig(config); }
cudaError_t cudaThreadSetCacheConfig(cudaFuncCache config) { return cudaDeviceSetCacheConfig(config); }
cudaError_t cudaChooseDevice_v2(int* device, const cudaDeviceProp* properties) { return cudaChooseDevice(device, properties); }
cudaError_t cudaEventElapsedTime_v2(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  return cudaEventElapsedTime(milliseconds, start, end);
}
