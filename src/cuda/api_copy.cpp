// Copies and fills.
#include "call.hpp"
#include "copy_parameters.hpp"

using namespace warpwright;
using namespace warpwright::cuda;

namespace {

enum class Waits { no, yes };

CUresult copy(void* to, const void* from, size_t count, cudaMemcpyKind kind, CUstream stream, Waits waits) {
  return forward(Needs::context,
                 [&] { return waits == Waits::yes ? cudaMemcpy(to, from, count, kind) : cudaMemcpyAsync(to, from, count, kind, stream); });
}

const char* at(const void* start, size_t offset) { return static_cast<const char*>(start) + offset; }

CUresult copy2D(const CUDA_MEMCPY2D* given, CUstream stream, Waits waits) {
  if (!given) return CUDA_ERROR_INVALID_VALUE;
  const CUDA_MEMCPY2D& c = *given;
  if (c.srcMemoryType == CU_MEMORYTYPE_ARRAY || c.dstMemoryType == CU_MEMORYTYPE_ARRAY) return CUDA_ERROR_NOT_SUPPORTED;
  return forward(Needs::context, [&] {
    const CopySide from = copySideOf(c.srcMemoryType, c.srcHost, c.srcDevice), to = copySideOf(c.dstMemoryType, c.dstHost, c.dstDevice);
    if (!from.start || !to.start) return cudaErrorInvalidValue;
    // A pitch of 0 means rows without gaps.
    const size_t fromPitch = c.srcPitch ? c.srcPitch : c.WidthInBytes, toPitch = c.dstPitch ? c.dstPitch : c.WidthInBytes;
    void* const target = const_cast<char*>(at(to.start, c.dstY * toPitch + c.dstXInBytes));
    const void* const source = at(from.start, c.srcY * fromPitch + c.srcXInBytes);
    const cudaMemcpyKind kind = kindOf(to, from);
    return waits == Waits::yes ? cudaMemcpy2D(target, toPitch, source, fromPitch, c.WidthInBytes, c.Height, kind)
                               : cudaMemcpy2DAsync(target, toPitch, source, fromPitch, c.WidthInBytes, c.Height, kind, stream);
  });
}

CUresult copy3D(const CUDA_MEMCPY3D* given, CUstream stream, Waits waits) {
  if (!given) return CUDA_ERROR_INVALID_VALUE;
  if (namesArray(*given)) return CUDA_ERROR_NOT_SUPPORTED;
  return forward(Needs::context, [&] {
    const auto parameters = parametersOf(*given);
    if (!parameters) return cudaErrorInvalidValue;
    return waits == Waits::yes ? cudaMemcpy3D(&*parameters) : cudaMemcpy3DAsync(&*parameters, stream);
  });
}

CUresult fill(CUdeviceptr to, size_t pitch, unsigned int value, unsigned int bytes, size_t width, size_t height, CUstream stream) {
  return call(Needs::context, [&](Driver& driver) {
    if (to % bytes != 0 || (height > 1 && (pitch % bytes != 0 || pitch < width * bytes))) return CUDA_ERROR_INVALID_VALUE;
    return resultOf(driver.access.fill({pointerOf(to), pitch, width, height, value, bytes}, stream));
  });
}

// Neither form waits: no byte passes the host.
CUresult copyPeer(CUdeviceptr to, CUcontext toContext, CUdeviceptr from, CUcontext fromContext, size_t count, CUstream stream) {
  return call(Needs::context, [&](Driver& driver) {
    if (!driver.isAlive(toContext) || !driver.isAlive(fromContext)) return CUDA_ERROR_INVALID_CONTEXT;
    const auto ordinal = [](CUcontext context) { return static_cast<int>(context->device); };
    return resultOf(cudaMemcpyPeerAsync(pointerOf(to), ordinal(toContext), pointerOf(from), ordinal(fromContext), count, stream));
  });
}

}  // namespace

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t count) {
  return copy(pointerOf(to), pointerOf(from), count, cudaMemcpyDefault, nullptr, Waits::yes);
}

CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t count, CUstream stream) {
  return copy(pointerOf(to), pointerOf(from), count, cudaMemcpyDefault, stream, Waits::no);
}

CUresult cuMemcpyHtoD(CUdeviceptr to, const void* from, size_t count) {
  return copy(pointerOf(to), from, count, cudaMemcpyHostToDevice, nullptr, Waits::yes);
}

CUresult cuMemcpyDtoH(void* to, CUdeviceptr from, size_t count) {
  return copy(to, pointerOf(from), count, cudaMemcpyDeviceToHost, nullptr, Waits::yes);
}

CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t count) {
  return copy(pointerOf(to), pointerOf(from), count, cudaMemcpyDeviceToDevice, nullptr, Waits::yes);
}

CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void* from, size_t count, CUstream stream) {
  return copy(pointerOf(to), from, count, cudaMemcpyHostToDevice, stream, Waits::no);
}

CUresult cuMemcpyDtoHAsync(void* to, CUdeviceptr from, size_t count, CUstream stream) {
  return copy(to, pointerOf(from), count, cudaMemcpyDeviceToHost, stream, Waits::no);
}

CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t count, CUstream stream) {
  return copy(pointerOf(to), pointerOf(from), count, cudaMemcpyDeviceToDevice, stream, Waits::no);
}

CUresult cuMemcpyPeer(CUdeviceptr to, CUcontext toContext, CUdeviceptr from, CUcontext fromContext, size_t count) {
  return copyPeer(to, toContext, from, fromContext, count, nullptr);
}

CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext toContext, CUdeviceptr from, CUcontext fromContext, size_t count, CUstream stream) {
  return copyPeer(to, toContext, from, fromContext, count, stream);
}

CUresult cuMemcpy2D(const CUDA_MEMCPY2D* given) { return copy2D(given, nullptr, Waits::yes); }
CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D* given) { return copy2D(given, nullptr, Waits::yes); }
CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D* given, CUstream stream) { return copy2D(given, stream, Waits::no); }
CUresult cuMemcpy3D(const CUDA_MEMCPY3D* given) { return copy3D(given, nullptr, Waits::yes); }
CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D* given, CUstream stream) { return copy3D(given, stream, Waits::no); }

CUresult cuMemsetD8(CUdeviceptr to, unsigned char value, size_t count) { return fill(to, 0, value, 1, count, 1, nullptr); }
CUresult cuMemsetD16(CUdeviceptr to, unsigned short value, size_t count) { return fill(to, 0, value, 2, count, 1, nullptr); }
CUresult cuMemsetD32(CUdeviceptr to, unsigned int value, size_t count) { return fill(to, 0, value, 4, count, 1, nullptr); }

CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t count, CUstream stream) {
  return fill(to, 0, value, 1, count, 1, stream);
}

CUresult cuMemsetD16Async(CUdeviceptr to, unsigned short value, size_t count, CUstream stream) {
  return fill(to, 0, value, 2, count, 1, stream);
}

CUresult cuMemsetD32Async(CUdeviceptr to, unsigned int value, size_t count, CUstream stream) {
  return fill(to, 0, value, 4, count, 1, stream);
}

CUresult cuMemsetD2D8(CUdeviceptr to, size_t pitch, unsigned char value, size_t width, size_t height) {
  return fill(to, pitch, value, 1, width, height, nullptr);
}

CUresult cuMemsetD2D16(CUdeviceptr to, size_t pitch, unsigned short value, size_t width, size_t height) {
  return fill(to, pitch, value, 2, width, height, nullptr);
}

CUresult cuMemsetD2D32(CUdeviceptr to, size_t pitch, unsigned int value, size_t width, size_t height) {
  return fill(to, pitch, value, 4, width, height, nullptr);
}

CUresult cuMemsetD2D8Async(CUdeviceptr to, size_t pitch, unsigned char value, size_t width, size_t height, CUstream stream) {
  return fill(to, pitch, value, 1, width, height, stream);
}

CUresult cuMemsetD2D16Async(CUdeviceptr to, size_t pitch, unsigned short value, size_t width, size_t height, CUstream stream) {
  return fill(to, pitch, value, 2, width, height, stream);
}

CUresult cuMemsetD2D32Async(CUdeviceptr to, size_t pitch, unsigned int value, size_t width, size_t height, CUstream stream) {
  return fill(to, pitch, value, 4, width, height, stream);
}
