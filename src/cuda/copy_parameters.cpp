#include "copy_parameters.hpp"

#include "call.hpp"

namespace warpwright::cuda {

CopySide copySideOf(CUmemorytype type, const void* host, CUdeviceptr device) {
  switch (type) {
    case CU_MEMORYTYPE_HOST:
      return {host, true, false};
    case CU_MEMORYTYPE_DEVICE:
      return {pointerOf(device), false, false};
    case CU_MEMORYTYPE_UNIFIED:
      return {pointerOf(device), false, true};
    default:
      return {};
  }
}

cudaMemcpyKind kindOf(const CopySide& to, const CopySide& from) {
  if (to.unified || from.unified) return cudaMemcpyDefault;
  if (to.host) return from.host ? cudaMemcpyHostToHost : cudaMemcpyDeviceToHost;
  return from.host ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToDevice;
}

std::optional<cudaMemcpy3DParms> parametersOf(const CUDA_MEMCPY3D& c) {
  const CopySide from = copySideOf(c.srcMemoryType, c.srcHost, c.srcDevice), to = copySideOf(c.dstMemoryType, c.dstHost, c.dstDevice);
  if (!from.start || !to.start) return std::nullopt;
  // A pitch of 0 means rows without gaps, a height of 0 slices without.
  const auto pitched = [&](const CopySide& side, size_t pitch, size_t height) {
    const size_t rows = height ? height : c.Height;
    return cudaPitchedPtr{const_cast<void*>(side.start), pitch ? pitch : c.WidthInBytes, c.WidthInBytes, rows};
  };
  cudaMemcpy3DParms parameters{};
  parameters.srcPos = {c.srcXInBytes, c.srcY, c.srcZ};
  parameters.srcPtr = pitched(from, c.srcPitch, c.srcHeight);
  parameters.dstPos = {c.dstXInBytes, c.dstY, c.dstZ};
  parameters.dstPtr = pitched(to, c.dstPitch, c.dstHeight);
  parameters.extent = {c.WidthInBytes, c.Height, c.Depth};
  parameters.kind = kindOf(to, from);
  return parameters;
}

CUDA_MEMCPY3D driverForm(const cudaMemcpy3DParms& copy) {
  const auto type = [](bool host, cudaMemcpyKind kind) {
    if (kind == cudaMemcpyDefault) return CU_MEMORYTYPE_UNIFIED;
    return host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
  };
  CUDA_MEMCPY3D result{};
  result.srcXInBytes = copy.srcPos.x;
  result.srcY = copy.srcPos.y;
  result.srcZ = copy.srcPos.z;
  result.srcMemoryType = type(copy.kind == cudaMemcpyHostToDevice || copy.kind == cudaMemcpyHostToHost, copy.kind);
  result.srcHost = copy.srcPtr.ptr;
  result.srcDevice = reinterpret_cast<CUdeviceptr>(copy.srcPtr.ptr);
  result.srcPitch = copy.srcPtr.pitch;
  result.srcHeight = copy.srcPtr.ysize;
  result.dstXInBytes = copy.dstPos.x;
  result.dstY = copy.dstPos.y;
  result.dstZ = copy.dstPos.z;
  result.dstMemoryType = type(copy.kind == cudaMemcpyDeviceToHost || copy.kind == cudaMemcpyHostToHost, copy.kind);
  result.dstHost = copy.dstPtr.ptr;
  result.dstDevice = reinterpret_cast<CUdeviceptr>(copy.dstPtr.ptr);
  result.dstPitch = copy.dstPtr.pitch;
  result.dstHeight = copy.dstPtr.ysize;
  result.WidthInBytes = copy.extent.width;
  result.Height = copy.extent.height;
  result.Depth = copy.extent.depth;
  return result;
}

}  // namespace warpwright::cuda
