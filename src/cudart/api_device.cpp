// Device management, limits, peers, versions and profiler control.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <string>

#include "context.hpp"
#include "cuda_runtime_api.h"
#include "properties.hpp"

using namespace warpwright;
using namespace warpwright::cudart;

namespace {

// A device's position on a bus that does not exist (properties.cpp).
std::string busIdOf(u32 device) { return fmt::format("0000:00:{:02x}.0", device); }

// Body: cudaError_t(Context&, u32 device).
template <typename Body>
cudaError_t withDevice(int device, bool argumentsValid, Body&& body, AfterSticky afterSticky = AfterSticky::refuse) {
  const auto checked = [&](Context& context) {
    if (!argumentsValid) return cudaErrorInvalidValue;
    if (!context.devices().has(device)) return cudaErrorInvalidDevice;
    return body(context, static_cast<u32>(device));
  };
  return call(checked, afterSticky);
}

cudaError_t succeed(Context& context) {
  context.device();
  return cudaSuccess;
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
    if (static_cast<size_t>(limit) >= context.preferences().limits.size()) return cudaErrorUnsupportedLimit;
    if (limit == cudaLimitStackSize) {
      if (value > exec::kMostLocalBytes) return cudaErrorInvalidValue;
      context.preferences().stackBytes = value;
    }
    context.preferences().limits[limit] = value;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
  return call([&](Context& context) {
    if (!value) return cudaErrorInvalidValue;
    if (static_cast<size_t>(limit) >= context.preferences().limits.size()) return cudaErrorUnsupportedLimit;
    *value = context.preferences().limits[limit];
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  return call([&](Context& context) {
    if (!config) return cudaErrorInvalidValue;
    *config = context.preferences().cacheConfig;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config) {
  return call([&](Context& context) {
    if (config < cudaFuncCachePreferNone || config > cudaFuncCachePreferEqual) return cudaErrorInvalidValue;
    context.preferences().cacheConfig = config;
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
  return call([&](Context& context) {
    if (!device || !busId) return cudaErrorInvalidValue;
    for (u32 ordinal = 0; ordinal < context.devices().count(); ++ordinal) {
      if (busId != busIdOf(ordinal)) continue;
      *device = static_cast<int>(ordinal);
      return cudaSuccess;
    }
    return cudaErrorInvalidDevice;
  });
}

cudaError_t cudaDeviceGetPCIBusId(char* busId, int length, int device) {
  return withDevice(device, busId && length > 0, [&](Context&, u32 ordinal) {
    std::snprintf(busId, static_cast<size_t>(length), "%s", busIdOf(ordinal).c_str());
    return cudaSuccess;
  });
}

cudaError_t cudaGetDeviceCount(int* count) {
  return call(
      [&](Context& context) {
        if (!count) return cudaErrorInvalidValue;
        *count = static_cast<int>(context.devices().count());
        return cudaSuccess;
      },
      AfterSticky::allow);
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  return withDevice(device, properties, [&](Context& context, u32 ordinal) {
    *properties = propertiesOf(context.machine(), ordinal);
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  return withDevice(device, value, [&](Context& context, u32 ordinal) {
    const auto found = attributeOf(propertiesOf(context.machine(), ordinal), attribute);
    if (!found) return cudaErrorInvalidValue;
    *value = *found;
    return cudaSuccess;
  });
}

// All attributes of a pair say that neither reaches the other's memory; a device is not its own peer.
cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr, int device, int peer) {
  return withDevice(device, value, [&](Context& context, u32) {
    if (!context.devices().has(peer) || device == peer) return cudaErrorInvalidDevice;
    *value = 0;
    return cudaSuccess;
  });
}

// All devices are alike: the first is as good as any.
cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* properties) {
  return withDevice(0, device && properties, [&](Context&, u32) {
    *device = 0;
    return cudaSuccess;
  });
}

cudaError_t cudaInitDevice(int device, unsigned int deviceFlags, unsigned int flags) {
  return withDevice(device, true, [&](Context& context, u32 ordinal) {
    if (flags & cudaInitDeviceFlagsAreValid) context.preferences(ordinal).flags = deviceFlags;
    return cudaSuccess;
  });
}

cudaError_t cudaSetDevice(int device) {
  return withDevice(device, true, [&](Context&, u32 ordinal) {
    CurrentDevice::set(ordinal);
    return cudaSuccess;
  });
}

cudaError_t cudaGetDevice(int* device) {
  return call(
      [&](Context&) {
        if (!device) return cudaErrorInvalidValue;
        *device = static_cast<int>(CurrentDevice::ordinal());
        return cudaSuccess;
      },
      AfterSticky::allow);
}

cudaError_t cudaSetValidDevices(int* devices, int count) {
  return call([&](Context& context) {
    if (count < 0 || (count > 0 && !devices)) return cudaErrorInvalidValue;
    const bool areValid = std::all_of(devices, devices + count, [&](int device) { return context.devices().has(device); });
    return areValid ? cudaSuccess : cudaErrorInvalidDevice;
  });
}

cudaError_t cudaSetDeviceFlags(unsigned int flags) {
  return call([&](Context& context) {
    if (flags & ~static_cast<unsigned int>(cudaDeviceMask)) return cudaErrorInvalidValue;
    context.preferences().flags = flags;
    return cudaSuccess;
  });
}

cudaError_t cudaGetDeviceFlags(unsigned int* flags) {
  return call([&](Context& context) {
    if (!flags) return cudaErrorInvalidValue;
    *flags = context.preferences().flags | cudaDeviceMapHost;
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

// Kernels reach the memory of their own device alone: what another holds is copied.
cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  return withDevice(device, can, [&](Context& context, u32) {
    *can = 0;
    return context.devices().has(peer) ? cudaSuccess : cudaErrorInvalidDevice;
  });
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags) {
  return withDevice(peer, flags == 0, [](Context&, u32 ordinal) {
    return ordinal == CurrentDevice::ordinal() ? cudaErrorInvalidDevice : cudaErrorPeerAccessUnsupported;
  });
}

cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  return withDevice(peer, true, [](Context&, u32) { return cudaErrorPeerAccessNotEnabled; });
}

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind) { return {x, y, z, w, kind}; }

cudaError_t cudaProfilerStart() { return call(succeed); }

cudaError_t cudaProfilerStop() { return call(succeed); }
