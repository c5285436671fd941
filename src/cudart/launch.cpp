#include "launch.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/demangle.hpp"
#include "messages.hpp"
#include "runtime/arguments.hpp"

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

cudaError_t checkLimits(Context& context, const runtime::Launch& launch, u64 allowed) {
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

cudaError_t issueLaunch(Context& context, runtime::Launch launch, u64 maxDynamicShared, cudaStream_t handle) {
  Stream* const stream = context.streams.find(handle);
  if (!stream) return cudaErrorInvalidResourceHandle;
  if (const cudaError_t limits = checkLimits(context, launch, maxDynamicShared); limits != cudaSuccess) return limits;
  launch.priority = stream->priority;
  // A kernel's own preference goes before the device's (CUDA Runtime API, cudaDeviceSetCacheConfig).
  if (launch.cachePreference == exec::CachePreference::none) launch.cachePreference = preferenceOf(context.cacheConfig);
  launch.heapBytes = context.limits[cudaLimitMallocHeapSize];
  launch.stackBytes = context.stackBytes;
  context.device().announce(launch);
  context.streams.issue(*stream, [&context, launch](const WorkPointer& work) mutable {
    launch.startNanoseconds = work->begin;
    context.device().submit(launch, [&context, work](const runtime::LaunchOutcome& outcome) {
      context.launchEnded(outcome);
      if (outcome.status != exec::LaunchStatus::completed) return;
      context.streams.work().finish(work, outcome.endNanoseconds);
      context.streams.work().startReady();
    });
  });
  context.carryOutUnlessGathering();
  return cudaSuccess;
}

LoadedKernel loadKernel(Context& context, const void* host) {
  Kernel* const kernel = context.registry.kernel(host);
  if (!kernel) return {cudaErrorInvalidDeviceFunction};
  if (const cudaError_t status = context.registry.load(context.device(), *kernel->binary); status != cudaSuccess) return {status};
  if (!kernel->function) return {cudaErrorInvalidDeviceFunction};
  return {cudaSuccess, kernel};
}

cudaError_t launchKernel(Context& context, const KernelLaunch& given) {
  const auto [status, kernel] = loadKernel(context, given.kernel);
  if (status != cudaSuccess) return status;
  runtime::ParameterBlock parameters = runtime::gatherArguments(*kernel->function, given.arguments);
  if (!parameters.problem.empty()) {
    printError(parameters.problem);
    return cudaErrorInvalidValue;
  }

  runtime::Launch launch{{given.shape, nullptr, kernel->function, std::move(parameters.bytes), preferenceOf(kernel->cacheConfig)},
                         kernel->binary->module};
  return issueLaunch(context, std::move(launch), maxDynamicShared(context, *kernel), given.stream);
}

}  // namespace warpwright::cudart
