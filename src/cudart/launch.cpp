#include "launch.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/demangle.hpp"
#include "launch_buffer.hpp"
#include "messages.hpp"
#include "operation.hpp"

namespace warpwright::cudart {
namespace {

cudaError_t statusOf(runtime::LaunchFault fault) {
  switch (fault) {
    case runtime::LaunchFault::none:
      return cudaSuccess;
    case runtime::LaunchFault::configuration:
      return cudaErrorInvalidConfiguration;
    case runtime::LaunchFault::sharedMemory:
      return cudaErrorInvalidValue;
    case runtime::LaunchFault::resources:
      return cudaErrorLaunchOutOfResources;
    case runtime::LaunchFault::cooperative:
      return cudaErrorCooperativeLaunchTooLarge;
    case runtime::LaunchFault::cluster:
      return cudaErrorInvalidClusterSize;
    case runtime::LaunchFault::noClusters:
      return cudaErrorNotSupported;
  }
  return cudaErrorUnknown;
}

exec::CachePreference preferenceOf(cudaFuncCache config) {
  switch (config) {
    case cudaFuncCachePreferShared:
      return exec::CachePreference::shared;
    case cudaFuncCachePreferL1:
      return exec::CachePreference::l1;
    case cudaFuncCachePreferEqual:
      return exec::CachePreference::equal;
    default:
      return exec::CachePreference::none;
  }
}

// A registered kernel, or one of the driver API.
cudaError_t findKernel(Context& context, const void* function, FoundKernel& found) {
  const LoadedKernel loaded = loadKernel(context, function);
  if (loaded.status == cudaSuccess) {
    found = {loaded.module,
             loaded.function,
             CurrentDevice::ordinal(),
             maxDynamicShared(context, loaded),
             preferenceOf(loaded.kernel->cacheConfig),
             loaded.kernel->clusters};
    return cudaSuccess;
  }
  const std::optional<FoundKernel> ofDriver = context.driverKernels ? context.driverKernels(function) : std::nullopt;
  if (ofDriver) found = *ofDriver;
  return ofDriver ? cudaSuccess : loaded.status;
}

}  // namespace

cudaError_t statusOf(exec::LaunchStatus status) {
  switch (status) {
    case exec::LaunchStatus::completed:
      return cudaSuccess;
    case exec::LaunchStatus::illegalAddress:
      return cudaErrorIllegalAddress;
    case exec::LaunchStatus::misalignedAddress:
      return cudaErrorMisalignedAddress;
    case exec::LaunchStatus::assertion:
      return cudaErrorAssert;
    case exec::LaunchStatus::hang:
    case exec::LaunchStatus::stopped:  // after as many cycles as it may take
      return cudaErrorLaunchTimeout;
    case exec::LaunchStatus::illegalInstruction:
      return cudaErrorIllegalInstruction;
    case exec::LaunchStatus::stackOverflow:
      return cudaErrorHardwareStackError;
    case exec::LaunchStatus::invalidProgramCounter:
      return cudaErrorInvalidPc;
    case exec::LaunchStatus::useOfUninitialised:
    case exec::LaunchStatus::race:
    case exec::LaunchStatus::undefinedSynchronisation:
    case exec::LaunchStatus::trap:
    case exec::LaunchStatus::breakpoint:
      return cudaErrorLaunchFailure;
  }
  return cudaErrorUnknown;
}

u64 maxDynamicShared(Context& context, const LoadedKernel& loaded) {
  const u64 byDefault = context.machine().sharedBytesPerBlock;
  return loaded.kernel->maxDynamicSharedBytes.value_or(byDefault - std::min(byDefault, loaded.function->sharedBytes));
}

cudaError_t check(Context& context, const KernelCall& kernel) {
  const runtime::Launch& launch = kernel.launch;
  const u64 allowed = kernel.maxDynamicShared;
  const u64 staticBytes = launch.kernel->sharedBytes;
  if (launch.dynamicSharedBytes > allowed && launch.dynamicSharedBytes + staticBytes <= context.machine().sharedBytesPerBlockOptin) {
    printError(
        fmt::format("kernel '{}': {} bytes of dynamic shared memory, {} allowed\n  remedy: ask for them with "
                    "cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes)",
                    demangled(launch.kernel->name), launch.dynamicSharedBytes, allowed));
    return cudaErrorInvalidValue;
  }
  const u64 blocks = exec::clusterOf(launch).count();
  if (blocks > runtime::kPortableClusterBlocks && !kernel.nonPortableCluster && context.machine().clusterMultiprocessors > 0) {
    printError(
        fmt::format("kernel '{}': clusters of {} blocks, {} allowed\n  remedy: ask for more with cudaFuncSetAttribute(kernel, "
                    "cudaFuncAttributeNonPortableClusterSizeAllowed, 1)",
                    demangled(launch.kernel->name), blocks, runtime::kPortableClusterBlocks));
    return cudaErrorInvalidClusterSize;
  }
  const runtime::LaunchProblem problem = context.devices().at(kernel.device).check(launch);
  if (problem.fault != runtime::LaunchFault::none) printError(problem.message + "\n  remedy: " + problem.remedy);
  return statusOf(problem.fault);
}

Start startOf(Context& context, const KernelCall& kernel) {
  const Preferences& preferences = context.preferences(kernel.device);
  runtime::Launch launch = kernel.launch;
  // A kernel's own preference goes before the device's (CUDA Runtime API, cudaDeviceSetCacheConfig).
  if (launch.cachePreference == exec::CachePreference::none) launch.cachePreference = preferenceOf(preferences.cacheConfig);
  launch.heapBytes = preferences.limits[cudaLimitMallocHeapSize];
  launch.stackBytes = preferences.stackBytes;
  context.devices().at(kernel.device).announce(launch);
  return [&context, launch, device = kernel.device](const WorkPointer& work) mutable {
    launch.startNanoseconds = work->begin;
    context.submit(device, launch, work);
  };
}

cudaError_t issueLaunch(Context& context, KernelCall kernel, cudaStream_t handle) {
  const Target target = targetOf(context, handle, Purpose::issue);
  if (target.status != cudaSuccess) return target.status;
  if (target.stream->device != kernel.device) {
    printError(
        fmt::format("kernel '{}' of device {} is launched into a stream of device {}\n  remedy: make the stream's device current "
                    "before the launch",
                    demangled(kernel.launch.kernel->name), kernel.device, target.stream->device));
    return cudaErrorInvalidResourceHandle;
  }
  if (const cudaError_t status = check(context, kernel); status != cudaSuccess) return status;
  kernel.launch.priority = target.stream->priority;
  if (target.stream->capture) return capture(context, *target.stream, std::move(kernel));
  context.issue(*target.stream, startOf(context, kernel));
  return cudaSuccess;
}

LoadedKernel loadKernel(Context& context, const void* host) {
  Kernel* const kernel = context.registry.kernel(host);
  if (!kernel) return {cudaErrorInvalidDeviceFunction};
  const auto [module, failure] = context.registry.load(context.device(), *kernel->binary);
  if (!module) return {failure};
  const isa::Function* const function = kernel->functions.at(&context.device());
  if (!function) return {cudaErrorInvalidDeviceFunction};
  return {cudaSuccess, kernel, module, function};
}

cudaError_t describe(Context& context, const void* function, const exec::LaunchShape& shape, const KernelArguments& arguments,
                     KernelCall& described) {
  FoundKernel found;
  if (const cudaError_t status = findKernel(context, function, found); status != cudaSuccess) return status;
  runtime::ParameterBlock parameters = parameterBlock(*found.function, arguments.pointers, arguments.extra);
  if (!parameters.problem.empty()) {
    printError(parameters.problem);
    return cudaErrorInvalidValue;
  }
  described = {function,
               {{shape, nullptr, found.function, std::move(parameters.bytes), found.cachePreference}, found.module},
               found.device,
               found.maxDynamicShared,
               found.clusters.nonPortable,
               found.module->id};
  if (!shape.cluster && found.clusters.required.count() > 0) described.launch.cluster = found.clusters.required;
  return cudaSuccess;
}

exec::LaunchShape shapeOf(const cudaLaunchConfig_t& config) {
  const auto extent = [](const dim3& given) { return Dim3{given.x, given.y, given.z}; };
  exec::LaunchShape shape{extent(config.gridDim), extent(config.blockDim), config.dynamicSmemBytes};
  for (unsigned int i = 0; i < config.numAttrs; ++i) {
    const cudaLaunchAttribute& attribute = config.attrs[i];
    const auto& cluster = attribute.val.clusterDim;
    if (attribute.id == cudaLaunchAttributeCooperative) shape.cooperative = attribute.val.cooperative != 0;
    if (attribute.id == cudaLaunchAttributeClusterDimension) shape.cluster = {cluster.x, cluster.y, cluster.z};
  }
  return shape;
}

cudaError_t launchKernel(Context& context, const KernelLaunch& given) {
  KernelCall kernel;
  const cudaError_t status = describe(context, given.kernel, given.shape, {given.arguments, nullptr}, kernel);
  return status == cudaSuccess ? issueLaunch(context, std::move(kernel), given.stream) : status;
}

}  // namespace warpwright::cudart
