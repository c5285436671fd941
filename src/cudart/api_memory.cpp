// Allocation: device, managed, pinned and registered memory, pools, and questions about pointers.
#include "context.hpp"
#include "cuda_runtime_api.h"
#include "messages.hpp"
#include "operation.hpp"

using namespace warpwright;
using namespace warpwright::cudart;
using exec::Allocation;
using exec::AllocationKind;

namespace {

// Rows of pitched memory begin at multiples of cudaDeviceProp::textureAlignment, so that textures could be bound to them.
constexpr u64 kPitchUnit = 512;

GlobalAddress addressOf(const void* pointer) { return exec::GlobalMemory::addressOf(pointer); }

cudaError_t allocate(Context& context, void** pointer, u64 size, AllocationKind kind) {
  if (!pointer) return cudaErrorInvalidValue;
  *pointer = nullptr;
  if (size == 0) return cudaSuccess;
  const auto address = context.devices().allocate(size, kind);
  if (!address) return cudaErrorMemoryAllocation;
  *pointer = exec::GlobalMemory::hostPointer(*address);
  return cudaSuccess;
}

cudaError_t allocateManaged(void** pointer, size_t size, unsigned int flags) {
  return callOutsideCapture([&](Context& context) {
    if (size == 0 || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost)) return cudaErrorInvalidValue;
    return allocate(context, pointer, size, AllocationKind::managed);
  });
}

cudaError_t allocateHost(void** pointer, size_t size, unsigned int flags) {
  return callOutsideCapture([&](Context& context) {
    constexpr unsigned int kKnown = cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
    if (flags & ~kKnown) return cudaErrorInvalidValue;
    const cudaError_t status = allocate(context, pointer, size, AllocationKind::managed);
    if (status != cudaSuccess || !*pointer) return status;
    context.hostFlags[*pointer] = flags;
    return cudaSuccess;
  });
}

// The allocation that begins at the pointer.
const Allocation* startingAt(Context& context, const void* pointer) {
  const Allocation* found = context.devices().find(addressOf(pointer), 1);
  return found && found->address == addressOf(pointer) ? found : nullptr;
}

// Pinned memory lies in the device's heap as managed memory does, registered memory where the program has it.
bool isHost(const Context& context, const Allocation& allocation) {
  return allocation.kind == AllocationKind::host || context.hostFlags.contains(exec::GlobalMemory::hostPointer(allocation.address));
}

// Whether it is device memory that can be freed; a null pointer can.
cudaError_t checkFree(Context& context, const void* pointer) {
  if (!pointer) return cudaSuccess;
  const Allocation* found = startingAt(context, pointer);
  if (!found || isHost(context, *found)) return cudaErrorInvalidValue;
  return found->kind == AllocationKind::device || found->kind == AllocationKind::managed ? cudaSuccess : cudaErrorInvalidValue;
}

cudaMemoryType typeOf(const Context& context, const Allocation& allocation) {
  if (isHost(context, allocation)) return cudaMemoryTypeHost;
  return allocation.kind == AllocationKind::managed ? cudaMemoryTypeManaged : cudaMemoryTypeDevice;
}

bool isManagedRange(Context& context, const void* pointer, size_t count) {
  const Allocation* found = context.devices().find(addressOf(pointer), count);
  return found && typeOf(context, *found) == cudaMemoryTypeManaged;
}

bool isLocation(Context& context, int device) { return context.devices().has(device) || device == cudaCpuDeviceId; }

// Managed memory stays where it is, so where data should lie is only checked, not acted on. IsLocation: bool(Context&).
template <typename IsLocation>
cudaError_t advise(const void* pointer, size_t count, IsLocation&& isLocation) {
  return call([&](Context& context) {
    if (!isManagedRange(context, pointer, count)) return cudaErrorInvalidValue;
    return isLocation(context) ? cudaSuccess : cudaErrorInvalidDevice;
  });
}

template <typename IsLocation>
cudaError_t prefetch(const void* pointer, size_t count, IsLocation&& isLocation, cudaStream_t stream) {
  return call([&](Context& context) {
    if (!context.streams.find(stream)) return cudaErrorInvalidResourceHandle;
    if (!isManagedRange(context, pointer, count)) return cudaErrorInvalidValue;
    return isLocation(context) ? cudaSuccess : cudaErrorInvalidDevice;
  });
}

bool isLocation(Context& context, const cudaMemLocation& location) {
  if (location.type == cudaMemLocationTypeDevice) return context.devices().has(location.id);
  return location.type >= cudaMemLocationTypeHost && location.type <= cudaMemLocationTypeHostNumaCurrent;
}

// A device's one pool, in which all its stream-ordered allocations are, is known by the address of what was set for the device.
cudaMemPool_t poolOf(Context& context, u32 device) { return reinterpret_cast<cudaMemPool_t>(&context.preferences(device)); }

// The device of a pool; nullopt: there is no such pool.
std::optional<u32> deviceOf(Context& context, cudaMemPool_t pool) {
  for (u32 device = 0; device < context.devices().count(); ++device)
    if (pool == poolOf(context, device)) return device;
  return std::nullopt;
}

cudaError_t givePool(cudaMemPool_t* pool, int device) {
  return call([&](Context& context) {
    if (!pool) return cudaErrorInvalidValue;
    if (!context.devices().has(device)) return cudaErrorInvalidDevice;
    *pool = poolOf(context, static_cast<u32>(device));
    return cudaSuccess;
  });
}

// Body: cudaError_t(Context&, u32 device).
template <typename Body>
cudaError_t withPool(cudaMemPool_t pool, Body&& body) {
  return call([&](Context& context) {
    const auto device = deviceOf(context, pool);
    return device ? body(context, *device) : cudaErrorInvalidValue;
  });
}

bool isLocationOfPool(const cudaMemLocation* location, cudaMemAllocationType type) {
  return location && location->type == cudaMemLocationTypeDevice && type == cudaMemAllocationTypePinned;
}

// Reuse policies have nothing to decide here: freed memory is free at once.
constexpr int kReuse = 1;

}  // namespace

cudaError_t cudaMalloc(void** pointer, size_t size) {
  return callOutsideCapture([&](Context& context) { return allocate(context, pointer, size, AllocationKind::device); });
}

cudaError_t cudaMallocManaged(void** pointer, size_t size, unsigned int flags) { return allocateManaged(pointer, size, flags); }

cudaError_t cudaMallocHost(void** pointer, size_t size) { return allocateHost(pointer, size, cudaHostAllocDefault); }

cudaError_t cudaHostAlloc(void** pointer, size_t size, unsigned int flags) { return allocateHost(pointer, size, flags); }

cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
  return callOutsideCapture([&](Context& context) {
    if (!pointer || !pitch) return cudaErrorInvalidValue;
    *pitch = (width + kPitchUnit - 1) / kPitchUnit * kPitchUnit;
    if (height != 0 && *pitch > ~size_t{0} / height) return cudaErrorMemoryAllocation;
    return allocate(context, pointer, *pitch * height, AllocationKind::device);
  });
}

cudaError_t cudaMalloc3D(cudaPitchedPtr* pointer, cudaExtent extent) {
  if (!pointer) return record(cudaErrorInvalidValue);
  *pointer = {nullptr, 0, extent.width, extent.height};
  return cudaMallocPitch(&pointer->ptr, &pointer->pitch, extent.width, extent.height * extent.depth);
}

cudaError_t cudaFree(void* pointer) {
  return callWhenDone([&](Context& context) {
    const cudaError_t status = checkFree(context, pointer);
    if (status == cudaSuccess && pointer) context.devices().free(addressOf(pointer));
    // cudaFree waits for the device; cudaFree(0) is also the customary way to create the context.
    context.device();
    return status;
  });
}

cudaError_t cudaFreeHost(void* pointer) {
  return callWhenDone([&](Context& context) {
    if (!pointer) return cudaSuccess;
    const Allocation* found = startingAt(context, pointer);
    if (!found || found->kind != AllocationKind::managed || !isHost(context, *found)) return cudaErrorInvalidValue;
    context.devices().free(found->address);
    context.hostFlags.erase(pointer);
    return cudaSuccess;
  });
}

cudaError_t cudaHostRegister(void* pointer, size_t size, unsigned int flags) {
  return callOutsideCapture([&](Context& context) {
    if (!pointer || size == 0) return cudaErrorInvalidValue;
    if (!context.devices().registerHost(pointer, size)) return cudaErrorHostMemoryAlreadyRegistered;
    context.memory().markInitialised(addressOf(pointer), size);
    context.hostFlags[pointer] = flags;
    return cudaSuccess;
  });
}

cudaError_t cudaHostUnregister(void* pointer) {
  return callWhenDone([&](Context& context) {
    if (!pointer) return cudaErrorInvalidValue;
    if (!context.devices().unregisterHost(pointer)) return cudaErrorHostMemoryNotRegistered;
    context.hostFlags.erase(pointer);
    return cudaSuccess;
  });
}

cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned int flags) {
  return call([&](Context& context) {
    if (!device || !host || flags != 0) return cudaErrorInvalidValue;
    const Allocation* found = context.devices().find(addressOf(host), 1);
    if (!found || typeOf(context, *found) == cudaMemoryTypeDevice) return cudaErrorInvalidValue;
    *device = host;
    return cudaSuccess;
  });
}

cudaError_t cudaHostGetFlags(unsigned int* flags, void* host) {
  return call([&](Context& context) {
    const auto found = context.hostFlags.find(host);
    if (!flags || found == context.hostFlags.end()) return cudaErrorInvalidValue;
    *flags = found->second | cudaHostAllocMapped;
    return cudaSuccess;
  });
}

cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
  return call([&](Context& context) {
    if (!free || !total) return cudaErrorInvalidValue;
    *total = context.memory().capacity();
    *free = *total - (context.memory().used() - context.pinnedBytes());
    return cudaSuccess;
  });
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  return call([&](Context& context) {
    if (!attributes) return cudaErrorInvalidValue;
    *attributes = {};
    attributes->hostPointer = const_cast<void*>(pointer);
    const Allocation* found = context.devices().find(addressOf(pointer), 1);
    attributes->device = found ? static_cast<int>(context.devices().ordinalOf(addressOf(pointer))) : cudaInvalidDeviceId;
    if (!found) return cudaSuccess;
    attributes->type = typeOf(context, *found);
    attributes->devicePointer = const_cast<void*>(pointer);
    if (attributes->type == cudaMemoryTypeDevice) attributes->hostPointer = nullptr;
    return cudaSuccess;
  });
}

cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t count, int device, cudaStream_t stream) {
  return prefetch(
      pointer, count, [&](Context& context) { return isLocation(context, device); }, stream);
}

cudaError_t cudaMemPrefetchAsync_v2(const void* pointer, size_t count, cudaMemLocation location, unsigned int flags, cudaStream_t stream) {
  if (flags != 0) return record(cudaErrorInvalidValue);
  return prefetch(
      pointer, count, [&](Context& context) { return isLocation(context, location); }, stream);
}

cudaError_t cudaMemAdvise(const void* pointer, size_t count, cudaMemoryAdvise advice, int device) {
  if (advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy) return record(cudaErrorInvalidValue);
  // The device is ignored where the advice is not about a location.
  const bool placeless =
      advice == cudaMemAdviseSetReadMostly || advice == cudaMemAdviseUnsetReadMostly || advice == cudaMemAdviseUnsetPreferredLocation;
  return advise(pointer, count, [&](Context& context) { return placeless || isLocation(context, device); });
}

cudaError_t cudaMemAdvise_v2(const void* pointer, size_t count, cudaMemoryAdvise advice, cudaMemLocation location) {
  return cudaMemAdvise(pointer, count, advice, location.type == cudaMemLocationTypeDevice ? location.id : cudaCpuDeviceId);
}

cudaError_t cudaMallocAsync(void** pointer, size_t size, cudaStream_t stream) {
  return call([&](Context& context) {
    const Target target = targetOf(context, stream, Purpose::uncaptured);
    if (target.status != cudaSuccess) return target.status;
    return allocate(context, pointer, size, AllocationKind::device);
  });
}

cudaError_t cudaMallocFromPoolAsync(void** pointer, size_t size, cudaMemPool_t pool, cudaStream_t stream) {
  return withPool(pool, [&](Context&, u32 device) {
    const OnDevice there(device);
    return cudaMallocAsync(pointer, size, stream);
  });
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  return call([&](Context& context) {
    const Target target = targetOf(context, stream, Purpose::uncaptured);
    if (target.status != cudaSuccess) return target.status;
    if (const cudaError_t status = checkFree(context, pointer); status != cudaSuccess || !pointer) return status;
    context.issue(*target.stream, context.taking(0, [&context, pointer] { context.devices().free(addressOf(pointer)); }));
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) { return givePool(pool, device); }

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) { return givePool(pool, device); }

cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t* pool, cudaMemLocation* location, cudaMemAllocationType type) {
  return isLocationOfPool(location, type) ? givePool(pool, location->id) : record(cudaErrorInvalidValue);
}

cudaError_t cudaMemGetMemPool(cudaMemPool_t* pool, cudaMemLocation* location, cudaMemAllocationType type) {
  return cudaMemGetDefaultMemPool(pool, location, type);
}

cudaError_t cudaMemSetMemPool(cudaMemLocation* location, cudaMemAllocationType type, cudaMemPool_t pool) {
  return isLocationOfPool(location, type) ? cudaDeviceSetMemPool(location->id, pool) : record(cudaErrorInvalidValue);
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  return call([&](Context& context) {
    if (!context.devices().has(device)) return cudaErrorInvalidDevice;
    return deviceOf(context, pool) == static_cast<u32>(device) ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return withPool(pool, [&](Context& context, u32 device) {
    if (!value) return cudaErrorInvalidValue;
    if (attribute == cudaMemPoolAttrReleaseThreshold) context.preferences(device).poolReleaseThreshold = *static_cast<u64*>(value);
    return attribute <= cudaMemPoolAttrReleaseThreshold ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return withPool(pool, [&](Context& context, u32 device) {
    if (!value) return cudaErrorInvalidValue;
    switch (attribute) {
      case cudaMemPoolReuseFollowEventDependencies:
      case cudaMemPoolReuseAllowOpportunistic:
      case cudaMemPoolReuseAllowInternalDependencies:
        *static_cast<int*>(value) = kReuse;
        return cudaSuccess;
      case cudaMemPoolAttrReleaseThreshold:
        *static_cast<u64*>(value) = context.preferences(device).poolReleaseThreshold;
        return cudaSuccess;
      case cudaMemPoolAttrReservedMemCurrent:
      case cudaMemPoolAttrUsedMemCurrent:
        *static_cast<u64*>(value) = context.devices().at(device).memory().used();
        return cudaSuccess;
      default:
        return cudaErrorNotSupported;
    }
  });
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t) {
  return withPool(pool, [](Context&, u32) { return cudaSuccess; });
}
