// Contexts. Every one is over the same device memory: what a context's end takes away is what was allocated and loaded in it.
#include "call.hpp"

using namespace warpwright::cuda;

namespace {

constexpr unsigned int kApiVersion = 3020;

// Body: CUresult(Driver&), for the one device.
template <typename Body>
CUresult withDevice(CUdevice device, Body&& body) {
  return call(Needs::cuInit, [&](Driver& driver) { return device == 0 ? body(driver) : CUDA_ERROR_INVALID_DEVICE; });
}

bool areContextFlags(unsigned int flags) { return (flags & ~static_cast<unsigned int>(CU_CTX_FLAGS_MASK)) == 0; }

CUresult create(CUcontext* context, unsigned int flags, CUdevice device) {
  return withDevice(device, [&](Driver& driver) {
    if (!context || !areContextFlags(flags)) return CUDA_ERROR_INVALID_VALUE;
    *context = driver.create(flags);
    Driver::stack().push_back(*context);
    return CUDA_SUCCESS;
  });
}

CUresult resetPrimary(Driver& driver) {
  driver.clear(driver.primary());
  // The runtime's own allocations and modules are the primary context's too.
  return driver.hasCreatedContexts() ? CUDA_SUCCESS : resultOf(cudaDeviceReset());
}

}  // namespace

CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
  return withDevice(device, [&](Driver& driver) {
    if (!context) return CUDA_ERROR_INVALID_VALUE;
    ++driver.primaryUses;
    *context = driver.primary();
    return CUDA_SUCCESS;
  });
}

CUresult cuDevicePrimaryCtxRelease(CUdevice device) {
  return withDevice(device, [](Driver& driver) {
    if (driver.primaryUses == 0) return CUDA_ERROR_INVALID_CONTEXT;
    const bool last = --driver.primaryUses == 0 && !driver.access.runtimeWasCalled();
    return last ? resetPrimary(driver) : CUDA_SUCCESS;
  });
}

CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned int flags) {
  return withDevice(device, [&](Driver& driver) {
    if (!areContextFlags(flags)) return CUDA_ERROR_INVALID_VALUE;
    driver.primary()->flags = flags;
    return CUDA_SUCCESS;
  });
}

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned int* flags, int* active) {
  return withDevice(device, [&](Driver& driver) {
    if (!flags || !active) return CUDA_ERROR_INVALID_VALUE;
    *flags = driver.primary()->flags;
    *active = driver.primaryUses > 0 || driver.access.runtimeWasCalled();
    return CUDA_SUCCESS;
  });
}

CUresult cuDevicePrimaryCtxReset(CUdevice device) { return withDevice(device, resetPrimary); }

CUresult cuCtxCreate(CUcontext* context, unsigned int flags, CUdevice device) { return create(context, flags, device); }

CUresult cuCtxCreate_v4(CUcontext* context, CUctxCreateParams* parameters, unsigned int flags, CUdevice device) {
  const bool divides = parameters && (parameters->execAffinityParams || parameters->numExecAffinityParams != 0);
  if (divides) return CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY;
  const bool sharesWithGraphics = parameters && parameters->cigParams;
  return sharesWithGraphics ? CUDA_ERROR_NOT_SUPPORTED : create(context, flags, device);
}

CUresult cuCtxDestroy(CUcontext context) {
  return call(Needs::cuInit, [&](Driver& driver) {
    if (!context || !driver.isAlive(context) || context->primary) return CUDA_ERROR_INVALID_CONTEXT;
    driver.destroy(context);
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxPushCurrent(CUcontext context) {
  return call(Needs::cuInit, [&](Driver& driver) {
    if (!driver.isAlive(context)) return CUDA_ERROR_INVALID_CONTEXT;
    Driver::stack().push_back(context);
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxPopCurrent(CUcontext* context) {
  return call(Needs::cuInit, [&](Driver&) {
    auto& stack = Driver::stack();
    if (stack.empty()) return CUDA_ERROR_INVALID_CONTEXT;
    if (context) *context = stack.back();
    stack.pop_back();
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxSetCurrent(CUcontext context) {
  return call(Needs::cuInit, [&](Driver& driver) {
    if (context && !driver.isAlive(context)) return CUDA_ERROR_INVALID_CONTEXT;
    auto& stack = Driver::stack();
    if (!stack.empty()) stack.pop_back();
    if (context) stack.push_back(context);
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxGetCurrent(CUcontext* context) {
  return call(Needs::cuInit, [&](Driver& driver) {
    if (!context) return CUDA_ERROR_INVALID_VALUE;
    *context = driver.current();
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxGetDevice(CUdevice* device) {
  return call(Needs::context, [&](Driver&) {
    if (!device) return CUDA_ERROR_INVALID_VALUE;
    *device = 0;
    return CUDA_SUCCESS;
  });
}

// Callers that find this form by its name and know the one before (Numba 0.56) leave the context to chance.
CUresult cuCtxGetDevice_v2(CUdevice* device, CUcontext context) {
  return call(Needs::cuInit, [&](Driver& driver) {
    if (!device) return CUDA_ERROR_INVALID_VALUE;
    if (!driver.current() && !driver.isAlive(context)) return CUDA_ERROR_INVALID_CONTEXT;
    *device = 0;
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxGetFlags(unsigned int* flags) {
  return call(Needs::context, [&](Driver& driver) {
    if (!flags) return CUDA_ERROR_INVALID_VALUE;
    *flags = driver.current()->flags;
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxGetId(CUcontext context, unsigned long long* id) {
  return call(Needs::context, [&](Driver& driver) {
    if (!id) return CUDA_ERROR_INVALID_VALUE;
    if (!context) context = driver.current();
    if (!driver.isAlive(context)) return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    *id = context->id;
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxSynchronize() { return forward(Needs::context, cudaDeviceSynchronize); }

CUresult cuCtxSynchronize_v2(CUcontext context) {
  const CUresult usable = call(Needs::cuInit, [&](Driver& driver) {
    return driver.current() || driver.isAlive(context) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
  });
  return usable == CUDA_SUCCESS ? forward(Needs::cuInit, cudaDeviceSynchronize) : usable;
}

CUresult cuCtxSetLimit(CUlimit limit, size_t value) {
  return forward(Needs::context, [&] { return cudaDeviceSetLimit(static_cast<cudaLimit>(limit), value); });
}

CUresult cuCtxGetLimit(size_t* value, CUlimit limit) {
  return forward(Needs::context, [&] { return cudaDeviceGetLimit(value, static_cast<cudaLimit>(limit)); });
}

CUresult cuCtxGetCacheConfig(CUfunc_cache* config) {
  return forward(Needs::context, [&] { return cudaDeviceGetCacheConfig(reinterpret_cast<cudaFuncCache*>(config)); });
}

CUresult cuCtxSetCacheConfig(CUfunc_cache config) {
  return forward(Needs::context, [&] { return cudaDeviceSetCacheConfig(static_cast<cudaFuncCache>(config)); });
}

CUresult cuCtxGetApiVersion(CUcontext context, unsigned int* version) {
  return call(Needs::cuInit, [&](Driver& driver) {
    if (!version) return CUDA_ERROR_INVALID_VALUE;
    if (context && !driver.isAlive(context)) return CUDA_ERROR_INVALID_CONTEXT;
    *version = kApiVersion;
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  return forward(Needs::context, [&] { return cudaDeviceGetStreamPriorityRange(least, greatest); });
}
