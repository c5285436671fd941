// Device management, limits, peers, versions and profiler control.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <iterator>

#include "context.hpp"
#include "cuda_runtime_api.h"
#include "properties.hpp"

using namespace warpwright;
using namespace warpwright::cudart;

namespace {

// The one device's position on a bus that does not exist.
constexpr const char* kBusId = "0000:00:00.0";

cudaError_t withDevice(int device, const void* result, cudaError_t (*body)(Context&)) {
  return call([&](Context& context) {
    if (!result) return cudaErrorInvalidValue;
    if (device != 0) return cudaErrorInvalidDevice;
    return body(context);
  });
}

cudaError_t succeed(Context& context) {
  context.device();
  return cudaSuccess;
}

cudaError_t checkDevice(int device) {
  return call([&](Context&) { return device == 0 ? cudaSuccess : cudaErrorInvalidDevice; });
}

}  // namespace

// Captures end with all else.
cudaError_t cudaDeviceReset() {
  return call(
      [](Context& context) {
        context.waitForAll();
        context.reset();
        takeLastError();
        return cudaSuccess;
      },
      AfterSticky::allow);
}

cudaError_t cudaDeviceSynchronize() {
  return call([](Context& context) {
    if (const cudaError_t refused = context.captures.refuseWaitForAll(); refused != cudaSuccess) return refused;
    context.device();
    context.waitForAll();
    return context.sticky;
  });
}

cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }

cudaError_t cudaThreadExit() { return cudaDeviceReset(); }

cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  return call([&](Context& context) {
    if (static_cast<size_t>(limit) >= context.limits.size()) return cudaErrorUnsupportedLimit;
    if (limit == cudaLimitStackSize) {
      if (value > exec::kMostLocalBytes) return cudaErrorInvalidValue;
      context.stackBytes = value;
    }
    context.limits[limit] = value;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
  return call([&](Context& context) {
    if (!value) return cudaErrorInvalidValue;
    if (static_cast<size_t>(limit) >= context.limits.size()) return cudaErrorUnsupportedLimit;
    *value = context.limits[limit];
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  return call([&](Context& context) {
    if (!config) return cudaErrorInvalidValue;
    *config = context.cacheConfig;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config) {
  return call([&](Context& context) {
    if (config < cudaFuncCachePreferNone || config > cudaFuncCachePreferEqual) return cudaErrorInvalidValue;
    context.cacheConfig = config;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
  return call([&](Context& context) {
    if (!config) return cudaErrorInvalidValue;
    *config = context.machine().sharedBankBytes == 8 ? cudaSharedMemBankSizeEightByte : cudaSharedMemBankSizeFourByte;
    return cudaSuccess;
  });
}

// The width of banks is the machine's own; programs may only state a wish.
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config) {
  return call([&](Context&) {
    return config >= cudaSharedMemBankSizeDefault && config <= cudaSharedMemBankSizeEightByte ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* busId) {
  return call([&](Context&) {
    if (!device || !busId) return cudaErrorInvalidValue;
    if (std::strcmp(busId, kBusId) != 0) return cudaErrorInvalidDevice;
    *device = 0;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetPCIBusId(char* busId, int length, int device) {
  return call([&](Context&) {
    if (!busId || length <= 0) return cudaErrorInvalidValue;
    if (device != 0) return cudaErrorInvalidDevice;
    std::snprintf(busId, static_cast<size_t>(length), "%s", kBusId);
    return cudaSuccess;
  });
}

cudaError_t cudaGetDeviceCount(int* count) {
  return call(
      [&](Context& context) {
        if (!count) return cudaErrorInvalidValue;
        context.device();
        *count = 1;
        return cudaSuccess;
      },
      AfterSticky::allow);
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  return call([&](Context& context) {
    if (!properties) return cudaErrorInvalidValue;
    if (device != 0) return cudaErrorInvalidDevice;
    *properties = propertiesOf(context.machine());
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  return call([&](Context& context) {
    if (!value) return cudaErrorInvalidValue;
    if (device != 0) return cudaErrorInvalidDevice;
    const auto found = attributeOf(propertiesOf(context.machine()), attribute);
    if (!found) return cudaErrorInvalidValue;
    *value = *found;
    return cudaSuccess;
  });
}

// There is only one device, and none is its own peer.
cudaError_t cudaDeviceGetP2PAttribute(int*, cudaDeviceP2PAttr, int, int) { return record(cudaErrorInvalidDevice); }

cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* properties) {
  if (!properties) return record(cudaErrorInvalidValue);
  if (device) *device = 0;
  return withDevice(0, device, succeed);
}

cudaError_t cudaInitDevice(int device, unsigned int deviceFlags, unsigned int flags) {
  return call([&](Context& context) {
    if (device != 0) return cudaErrorInvalidDevice;
    if (flags & cudaInitDeviceFlagsAreValid) context.deviceFlags = deviceFlags;
    return succeed(context);
  });
}

cudaError_t cudaSetDevice(int device) {
  return call([&](Context& context) { return device == 0 ? succeed(context) : cudaErrorInvalidDevice; });
}

cudaError_t cudaGetDevice(int* device) {
  return call(
      [&](Context&) {
        if (!device) return cudaErrorInvalidValue;
        *device = 0;
        return cudaSuccess;
      },
      AfterSticky::allow);
}

cudaError_t cudaSetValidDevices(int* devices, int count) {
  return call([&](Context&) {
    if (count < 0 || (count > 0 && !devices)) return cudaErrorInvalidValue;
    return std::all_of(devices, devices + count, [](int device) { return device == 0; }) ? cudaSuccess : cudaErrorInvalidDevice;
  });
}

cudaError_t cudaSetDeviceFlags(unsigned int flags) {
  return call([&](Context& context) {
    if (flags & ~static_cast<unsigned int>(cudaDeviceMask)) return cudaErrorInvalidValue;
    context.deviceFlags = flags;
    return cudaSuccess;
  });
}

cudaError_t cudaGetDeviceFlags(unsigned int* flags) {
  return call([&](Context& context) {
    if (!flags) return cudaErrorInvalidValue;
    *flags = context.deviceFlags | cudaDeviceMapHost;
    return cudaSuccess;
  });
}

cudaError_t cudaCtxResetPersistingL2Cache() { return call(succeed); }

cudaError_t cudaDriverGetVersion(int* version) { return cudaRuntimeGetVersion(version); }

cudaError_t cudaRuntimeGetVersion(int* version) {
  if (!version) return record(cudaErrorInvalidValue);
  *version = CUDART_VERSION;
  return cudaSuccess;
}

cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  if (!can) return record(cudaErrorInvalidValue);
  *can = 0;
  return checkDevice(device != 0 ? device : peer);
}

// A device is not its own peer, and there is no other.
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned int) { return record(cudaErrorInvalidDevice); }

cudaError_t cudaDeviceDisablePeerAccess(int peer) { return record(peer == 0 ? cudaErrorPeerAccessNotEnabled : cudaErrorInvalidDevice); }

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind) { return {x, y, z, w, kind}; }

cudaError_t cudaProfilerStart() { return call(succeed); }

cudaError_t cudaProfilerStop() { return call(succeed); }
