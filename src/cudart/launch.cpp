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
  const auto [status, kernel] = loadKernel(context, function);
  if (status == cudaSuccess) {
    found = {kernel->binary->module, kernel->function, maxDynamicShared(context, *kernel), preferenceOf(kernel->cacheConfig)};
    return cudaSuccess;
  }
  const std::optional<FoundKernel> ofDriver = context.driverKernels ? context.driverKernels(function) : std::nullopt;
  if (ofDriver) found = *ofDriver;
  return ofDriver ? cudaSuccess : status;
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

u64 maxDynamicShared(Context& context, const Kernel& kernel) {
  const u64 byDefault = context.machine().sharedBytesPerBlock;
  return kernel.maxDynamicSharedBytes.value_or(byDefault - std::min(byDefault, kernel.function->sharedBytes));
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
  const runtime::LaunchProblem problem = context.device().check(launch);
  if (problem.fault != runtime::LaunchFault::none) printError(problem.message + "\n  remedy: " + problem.remedy);
  return statusOf(problem.fault);
}

Start startOf(Context& context, const KernelCall& kernel) {
  runtime::Launch launch = kernel.launch;
  // A kernel's own preference goes before the device's (CUDA Runtime API, cudaDeviceSetCacheConfig).
  if (launch.cachePreference == exec::CachePreference::none) launch.cachePreference = preferenceOf(context.cacheConfig);
  launch.heapBytes = context.limits[cudaLimitMallocHeapSize];
  launch.stackBytes = context.stackBytes;
  context.device().announce(launch);
  return [&context, launch](const WorkPointer& work) mutable {
    launch.startNanoseconds = work->begin;
    context.device().submit(launch, [&context, work](const runtime::LaunchOutcome& outcome) {
      context.launchEnded(outcome);
      if (outcome.status != exec::LaunchStatus::completed) return;
      context.streams.work().finish(work, outcome.endNanoseconds);
      context.streams.work().startReady();
    });
  };
}

cudaError_t issueLaunch(Context& context, KernelCall kernel, cudaStream_t handle) {
  const Target target = targetOf(context, handle, Purpose::issue);
  if (target.status != cudaSuccess) return target.status;
  if (const cudaError_t status = check(context, kernel); status != cudaSuccess) return status;
  kernel.launch.priority = target.stream->priority;
  if (target.stream->capture) return capture(context, *target.stream, std::move(kernel));
  context.issue(*target.stream, startOf(context, kernel));
  return cudaSuccess;
}

LoadedKernel loadKernel(Context& context, const void* host) {
  Kernel* const kernel = context.registry.kernel(host);
  if (!kernel) return {cudaErrorInvalidDeviceFunction};
  if (const cudaError_t status = context.registry.load(context.device(), *kernel->binary); status != cudaSuccess) return {status};
  if (!kernel->function) return {cudaErrorInvalidDeviceFunction};
  return {cudaSuccess, kernel};
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
               found.maxDynamicShared,
               found.module->id};
  return cudaSuccess;
}

cudaError_t launchKernel(Context& context, const KernelLaunch& given) {
  KernelCall kernel;
  const cudaError_t status = describe(context, given.kernel, given.shape, {given.arguments, nullptr}, kernel);
  return status == cudaSuccess ? issueLaunch(context, std::move(kernel), given.stream) : status;
}

}  // namespace warpwright::cudart
