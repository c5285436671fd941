// Devices. Each is known by its ordinal.
#include <algorithm>
#include <cstdio>
#include <cstring>

#include "call.hpp"

using namespace warpwright::cuda;

namespace {

// Body: CUresult(const cudaDeviceProp&).
template <typename Body>
CUresult withProperties(CUdevice device, bool argumentsValid, Body&& body) {
  return call(Needs::cuInit, [&](Driver& driver) -> CUresult {
    if (!argumentsValid) return CUDA_ERROR_INVALID_VALUE;
    if (!driver.has(device)) return CUDA_ERROR_INVALID_DEVICE;
    return body(driver.access.properties(static_cast<warpwright::u32>(device)));
  });
}

}  // namespace

CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  return call(Needs::cuInit, [&](Driver& driver) {
    if (!device) return CUDA_ERROR_INVALID_VALUE;
    if (!driver.has(ordinal)) return CUDA_ERROR_INVALID_DEVICE;
    *device = ordinal;
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceGetCount(int* count) {
  return call(Needs::cuInit, [&](Driver& driver) {
    if (!count) return CUDA_ERROR_INVALID_VALUE;
    *count = static_cast<int>(driver.access.devices());
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceGetName(char* name, int length, CUdevice device) {
  return withProperties(device, name && length > 0, [&](const cudaDeviceProp& properties) {
    std::snprintf(name, static_cast<size_t>(length), "%s", properties.name);
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice device) {
  return withProperties(device, uuid, [&](const cudaDeviceProp& properties) {
    std::memcpy(uuid->bytes, properties.uuid.bytes, sizeof uuid->bytes);
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceGetUuid_v2(CUuuid* uuid, CUdevice device) { return cuDeviceGetUuid(uuid, device); }

CUresult cuDeviceTotalMem(size_t* bytes, CUdevice device) {
  return withProperties(device, bytes, [&](const cudaDeviceProp& properties) {
    *bytes = properties.totalGlobalMem;
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {
  return forward(Needs::cuInit, [&] { return cudaDeviceGetAttribute(value, static_cast<cudaDeviceAttr>(attribute), device); });
}

CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice device) {
  return withProperties(device, major && minor, [&](const cudaDeviceProp& properties) {
    *major = properties.major;
    *minor = properties.minor;
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceGetProperties(CUdevprop* result, CUdevice device) {
  return withProperties(device, result, [&](const cudaDeviceProp& properties) {
    *result = {};
    result->maxThreadsPerBlock = properties.maxThreadsPerBlock;
    std::copy(std::begin(properties.maxThreadsDim), std::end(properties.maxThreadsDim), result->maxThreadsDim);
    std::copy(std::begin(properties.maxGridSize), std::end(properties.maxGridSize), result->maxGridSize);
    result->sharedMemPerBlock = static_cast<int>(properties.sharedMemPerBlock);
    result->totalConstantMemory = static_cast<int>(properties.totalConstMem);
    result->SIMDWidth = properties.warpSize;
    result->memPitch = static_cast<int>(properties.memPitch);
    result->regsPerBlock = properties.regsPerBlock;
    result->clockRate = properties.clockRate;
    result->textureAlign = static_cast<int>(properties.textureAlignment);
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceGetPCIBusId(char* busId, int length, CUdevice device) {
  return forward(Needs::cuInit, [&] { return cudaDeviceGetPCIBusId(busId, length, device); });
}

CUresult cuDeviceGetByPCIBusId(CUdevice* device, const char* busId) {
  return forward(Needs::cuInit, [&] { return cudaDeviceGetByPCIBusId(device, busId); });
}

CUresult cuDeviceCanAccessPeer(int* can, CUdevice device, CUdevice peer) {
  return forward(Needs::cuInit, [&] { return cudaDeviceCanAccessPeer(can, device, peer); });
}

CUresult cuDeviceGetP2PAttribute(int* value, CUdevice_P2PAttribute attribute, CUdevice device, CUdevice peer) {
  return forward(Needs::cuInit, [&] { return cudaDeviceGetP2PAttribute(value, static_cast<cudaDeviceP2PAttr>(attribute), device, peer); });
}
