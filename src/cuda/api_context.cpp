// Contexts. All of a device are over the same memory: what a context's end takes away is what was allocated and loaded in it.
#include "call.hpp"

using namespace warpwright;
using namespace warpwright::cuda;

namespace {

constexpr unsigned int kApiVersion = 3020;

// Body: CUresult(Driver&, u32 device).
template <typename Body>
CUresult withDevice(CUdevice device, Body&& body) {
  return call(Needs::cuInit,
              [&](Driver& driver) { return driver.has(device) ? body(driver, static_cast<u32>(device)) : CUDA_ERROR_INVALID_DEVICE; });
}

bool areContextFlags(unsigned int flags) { return (flags & ~static_cast<unsigned int>(CU_CTX_FLAGS_MASK)) == 0; }

CUresult create(CUcontext* context, unsigned int flags, CUdevice device) {
  return withDevice(device, [&](Driver& driver, u32 ordinal) {
    if (!context || !areContextFlags(flags)) return CUDA_ERROR_INVALID_VALUE;
    *context = driver.create(ordinal, flags);
    Driver::stack().push_back(*context);
    driver.enter(*context);
    return CUDA_SUCCESS;
  });
}

CUresult resetPrimary(Driver& driver, u32 device) {
  driver.clear(driver.primary(device));
  // The runtime's own allocations and modules are the primary context's too.
  return driver.hasCreatedContexts(device) ? CUDA_SUCCESS : resultOf(driver.onDevice(device, cudaDeviceReset));
}

}  // namespace

CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
  return withDevice(device, [&](Driver& driver, u32 ordinal) {
    if (!context) return CUDA_ERROR_INVALID_VALUE;
    *context = driver.primary(ordinal);
    ++(*context)->uses;
    return CUDA_SUCCESS;
  });
}

CUresult cuDevicePrimaryCtxRelease(CUdevice device) {
  return withDevice(device, [](Driver& driver, u32 ordinal) {
    const CUcontext primary = driver.primary(ordinal);
    if (primary->uses == 0) return CUDA_ERROR_INVALID_CONTEXT;
    const bool last = --primary->uses == 0 && !driver.access.runtimeWasCalled();
    return last ? resetPrimary(driver, ordinal) : CUDA_SUCCESS;
  });
}

CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned int flags) {
  return withDevice(device, [&](Driver& driver, u32 ordinal) {
    if (!areContextFlags(flags)) return CUDA_ERROR_INVALID_VALUE;
    driver.primary(ordinal)->flags = flags;
    return CUDA_SUCCESS;
  });
}

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned int* flags, int* active) {
  return withDevice(device, [&](Driver& driver, u32 ordinal) {
    if (!flags || !active) return CUDA_ERROR_INVALID_VALUE;
    *flags = driver.primary(ordinal)->flags;
    *active = driver.primary(ordinal)->uses > 0 || driver.access.runtimeWasCalled();
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
    driver.enter(context);
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxPopCurrent(CUcontext* context) {
  return call(Needs::cuInit, [&](Driver& driver) {
    auto& stack = Driver::stack();
    if (stack.empty()) return CUDA_ERROR_INVALID_CONTEXT;
    if (context) *context = stack.back();
    stack.pop_back();
    driver.enter(stack.empty() ? nullptr : stack.back());
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxSetCurrent(CUcontext context) {
  return call(Needs::cuInit, [&](Driver& driver) {
    if (context && !driver.isAlive(context)) return CUDA_ERROR_INVALID_CONTEXT;
    auto& stack = Driver::stack();
    if (!stack.empty()) stack.pop_back();
    if (context) stack.push_back(context);
    driver.enter(context);
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
  return call(Needs::context, [&](Driver& driver) {
    if (!device) return CUDA_ERROR_INVALID_VALUE;
    *device = static_cast<CUdevice>(driver.current()->device);
    return CUDA_SUCCESS;
  });
}

// Callers that find this form by its name and know the one before (Numba 0.56) leave the context to chance.
CUresult cuCtxGetDevice_v2(CUdevice* device, CUcontext context) {
  return call(Needs::cuInit, [&](Driver& driver) {
    if (!device) return CUDA_ERROR_INVALID_VALUE;
    const CUcontext of = driver.isAlive(context) ? context : driver.current();
    if (!of) return CUDA_ERROR_INVALID_CONTEXT;
    *device = static_cast<CUdevice>(of->device);
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

// As cuCtxGetDevice_v2.
CUresult cuCtxSynchronize_v2(CUcontext context) {
  return call(Needs::cuInit, [&](Driver& driver) {
    const CUcontext of = driver.isAlive(context) ? context : driver.current();
    return of ? resultOf(driver.onDevice(of->device, cudaDeviceSynchronize)) : CUDA_ERROR_INVALID_CONTEXT;
  });
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

CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned int flags) {
  return call(Needs::context, [&](Driver& driver) {
    if (!driver.isAlive(peer)) return CUDA_ERROR_INVALID_CONTEXT;
    return resultOf(cudaDeviceEnablePeerAccess(static_cast<int>(peer->device), flags));
  });
}

CUresult cuCtxDisablePeerAccess(CUcontext peer) {
  return call(Needs::context, [&](Driver& driver) {
    if (!driver.isAlive(peer)) return CUDA_ERROR_INVALID_CONTEXT;
    return resultOf(cudaDeviceDisablePeerAccess(static_cast<int>(peer->device)));
  });
}
