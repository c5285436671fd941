// Copies as the driver API describes them, in the runtime's terms and back.
#pragma once

#include <optional>

#include "cuda.h"
#include "cuda_runtime_api.h"

namespace warpwright::cuda {

// One side of a pitched copy; null for an array, of which there are none.
struct CopySide {
  const void* start = nullptr;
  bool host = false, unified = false;
};
CopySide copySideOf(CUmemorytype type, const void* host, CUdeviceptr device);
cudaMemcpyKind kindOf(const CopySide& to, const CopySide& from);

inline bool namesArray(const CUDA_MEMCPY3D& copy) {
  return copy.srcMemoryType == CU_MEMORYTYPE_ARRAY || copy.dstMemoryType == CU_MEMORYTYPE_ARRAY;
}
// Empty where a side is missing.
std::optional<cudaMemcpy3DParms> parametersOf(const CUDA_MEMCPY3D& copy);
CUDA_MEMCPY3D driverForm(const cudaMemcpy3DParms& copy);

}  // namespace warpwright::cuda
