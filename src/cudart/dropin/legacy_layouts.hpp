// Structures as CUDA 11 and 12 have them. A program of theirs passes one of this size, so not a byte more may be written.
#pragma once

#include <cstddef>
#include <cstring>

#include "versioned_api.hpp"

namespace warpwright::cudart::dropin {

// cudaDeviceProp of CUDA 12. That of CUDA 11 is the same up to reservedSharedMemPerBlock.
struct LegacyDeviceProp {
#define WW_KEPT(type, name, extent) type name extent;
#define WW_DROPPED(type, name) type name;
#include "cuda_device_members.h"
  int reserved[63];
};
static_assert(sizeof(LegacyDeviceProp) == 1032);

inline constexpr size_t kDevicePropBytes12 = sizeof(LegacyDeviceProp);
inline constexpr size_t kDevicePropBytes11 = offsetof(LegacyDeviceProp, hostRegisterSupported);
// Without the reserved tail of CUDA 13.
inline constexpr size_t kPointerAttributesBytes = offsetof(cudaPointerAttributes, reserved);
// Without what is about clusters.
inline constexpr size_t kFuncAttributesBytes11 = (offsetof(cudaFuncAttributes, clusterDimMustBeSet) + 7) / 8 * 8;

inline LegacyDeviceProp legacy(const cudaDeviceProp& properties) {
  LegacyDeviceProp result{};
#define WW_KEPT(type, name, extent) std::memcpy(&result.name, &properties.name, sizeof result.name);
#define WW_DROPPED(type, name) result.name = properties.name;
#include "cuda_device_members.h"
  return result;
}

inline cudaError_t getDeviceProperties(void* result, size_t bytes, int device) {
  cudaDeviceProp current;
  const cudaError_t status = __warpwrightGetDeviceProperties(result ? &current : nullptr, device);
  if (status != cudaSuccess) return status;
  const LegacyDeviceProp properties = legacy(current);
  std::memcpy(result, &properties, bytes);
  return cudaSuccess;
}

inline cudaError_t getPointerAttributes(void* result, const void* pointer) {
  cudaPointerAttributes current;
  const cudaError_t status = __warpwrightPointerGetAttributes(result ? &current : nullptr, pointer);
  if (status == cudaSuccess) std::memcpy(result, &current, kPointerAttributesBytes);
  return status;
}

inline cudaError_t getFuncAttributes(void* result, size_t bytes, const void* function) {
  cudaFuncAttributes current;
  const cudaError_t status = __warpwrightFuncGetAttributes(result ? &current : nullptr, function);
  if (status == cudaSuccess) std::memcpy(result, &current, bytes);
  return status;
}

}  // namespace warpwright::cudart::dropin
