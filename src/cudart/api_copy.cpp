// cudaMemcpy and cudaMemset in all their forms.
#include "arrays.hpp"
#include "copy.hpp"
#include "cuda_runtime_api.h"
#include "messages.hpp"

using namespace warpwright;
using namespace warpwright::cudart;

namespace {

Side linear(const void* pointer, u64 pitch, u64 slicePitch = 0) {
  return {static_cast<std::byte*>(const_cast<void*>(pointer)), pitch, slicePitch};
}

cudaError_t copy1D(void* to, const void* from, size_t count, cudaMemcpyKind kind, cudaStream_t stream, HostWaits waits) {
  return call([&](Context& context) { return copyBytes(context, to, from, count, kind, stream, waits); });
}

cudaError_t copy2D(void* to, size_t toPitch, const void* from, size_t fromPitch, size_t width, size_t height, cudaMemcpyKind kind,
                   cudaStream_t stream, HostWaits waits) {
  return call([&](Context& context) {
    if (width > toPitch || width > fromPitch) return cudaErrorInvalidPitchValue;
    return copyBox(context, linear(to, toPitch), linear(from, fromPitch), {width, height}, kind, stream, waits);
  });
}

Side pitched(const cudaPitchedPtr& pointer, const cudaPos& position) {
  const u64 slicePitch = pointer.pitch * pointer.ysize;
  auto* const start = static_cast<std::byte*>(pointer.ptr);
  return {start + position.z * slicePitch + position.y * pointer.pitch + position.x, pointer.pitch, slicePitch};
}

// Whether the box at that position lies within the rows and, where there are several slices, the slices of the memory.
bool fits(const cudaPitchedPtr& pointer, const cudaPos& position, const cudaExtent& extent) {
  const bool rows = position.x + extent.width <= pointer.pitch || extent.height * extent.depth <= 1;
  return rows && (position.y + extent.height <= pointer.ysize || extent.depth <= 1);
}

// With an array on either side the extent counts its texels; positions count texels in arrays and bytes elsewhere.
cudaError_t copyArrays(Context& context, const cudaMemcpy3DParms& p, cudaStream_t stream, HostWaits waits) {
  if ((p.srcArray && p.srcPtr.ptr) || (p.dstArray && p.dstPtr.ptr)) return cudaErrorInvalidValue;
  const runtime::Array* const from = p.srcArray ? arrayOf(context, p.srcArray) : nullptr;
  const runtime::Array* const to = p.dstArray ? arrayOf(context, p.dstArray) : nullptr;
  if ((p.srcArray && !from) || (p.dstArray && !to)) return cudaErrorInvalidResourceHandle;
  const u64 texel = (from ? from : to)->image.format.bytes();
  if (from && to && to->image.format.bytes() != texel) return cudaErrorInvalidValue;
  const Box box{p.extent.width * texel, p.extent.height, p.extent.depth};
  const cudaExtent bytes{box.width, box.height, box.depth};
  const auto side = [&](const runtime::Array* array, const cudaPitchedPtr& pointer, const cudaPos& position) -> std::optional<Side> {
    if (array) return sideOf(*array, position.x * texel, position.y, position.z, box);
    if (!pointer.ptr || !fits(pointer, position, bytes)) return std::nullopt;
    return pitched(pointer, position);
  };
  const auto toSide = side(to, p.dstPtr, p.dstPos), fromSide = side(from, p.srcPtr, p.srcPos);
  if (!toSide || !fromSide) return cudaErrorInvalidValue;
  return copyBox(context, *toSide, *fromSide, box, p.kind, stream, waits);
}

cudaError_t copy3D(const cudaMemcpy3DParms* parameters, cudaStream_t stream, HostWaits waits) {
  return call([&](Context& context) -> cudaError_t {
    if (!parameters) return cudaErrorInvalidValue;
    const cudaMemcpy3DParms& p = *parameters;
    if (p.srcArray || p.dstArray) return copyArrays(context, p, stream, waits);
    if (!p.srcPtr.ptr || !p.dstPtr.ptr) return cudaErrorInvalidValue;
    if (!fits(p.srcPtr, p.srcPos, p.extent) || !fits(p.dstPtr, p.dstPos, p.extent)) return cudaErrorInvalidPitchValue;
    const Box box{p.extent.width, p.extent.height, p.extent.depth};
    return copyBox(context, pitched(p.dstPtr, p.dstPos), pitched(p.srcPtr, p.srcPos), box, p.kind, stream, waits);
  });
}

cudaError_t copy3DPeer(const cudaMemcpy3DPeerParms* parameters, cudaStream_t stream, HostWaits waits) {
  if (!parameters) return record(cudaErrorInvalidValue);
  if (parameters->srcDevice != 0 || parameters->dstDevice != 0) return record(cudaErrorInvalidDevice);
  const cudaMemcpy3DPeerParms& p = *parameters;
  const cudaMemcpy3DParms plain{p.srcArray, p.srcPos, p.srcPtr, p.dstArray, p.dstPos, p.dstPtr, p.extent, cudaMemcpyDeviceToDevice};
  return copy3D(&plain, stream, waits);
}

// The bytes of a symbol from `offset` on; null and an error when they are not all there.
struct SymbolBytes {
  cudaError_t status = cudaSuccess;
  void* start = nullptr;
};

SymbolBytes bytesOf(Context& context, const void* symbol, u64 count, u64 offset) {
  Symbol* const found = context.registry.symbol(symbol);
  if (!found) return {cudaErrorInvalidSymbol};
  if (const cudaError_t status = context.registry.load(context.device(), *found->binary); status != cudaSuccess) return {status};
  if (found->address == 0) {
    printError("variable '" + found->name + "' is not in the device code: the compiler removed it\n  remedy: declare it outside of " +
               "anonymous namespaces, so that the host can reach it");
    return {cudaErrorInvalidSymbol};
  }
  if (offset > found->size || count > found->size - offset) return {cudaErrorInvalidValue};
  return {cudaSuccess, reinterpret_cast<void*>(found->address + offset)};
}

cudaError_t copyToSymbol(const void* symbol, const void* from, size_t count, size_t offset, cudaMemcpyKind kind, cudaStream_t stream,
                         HostWaits waits) {
  return call([&](Context& context) {
    if (kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyHostToHost) return cudaErrorInvalidMemcpyDirection;
    const SymbolBytes bytes = bytesOf(context, symbol, count, offset);
    return bytes.status == cudaSuccess ? copyBytes(context, bytes.start, from, count, kind, stream, waits) : bytes.status;
  });
}

cudaError_t copyFromSymbol(void* to, const void* symbol, size_t count, size_t offset, cudaMemcpyKind kind, cudaStream_t stream,
                           HostWaits waits) {
  return call([&](Context& context) {
    if (kind == cudaMemcpyHostToDevice || kind == cudaMemcpyHostToHost) return cudaErrorInvalidMemcpyDirection;
    const SymbolBytes bytes = bytesOf(context, symbol, count, offset);
    return bytes.status == cudaSuccess ? copyBytes(context, to, bytes.start, count, kind, stream, waits) : bytes.status;
  });
}

cudaError_t fill3D(const cudaPitchedPtr& pointer, int value, const cudaExtent& extent, cudaStream_t stream) {
  return call([&](Context& context) {
    if (!fits(pointer, {0, 0, 0}, extent)) return cudaErrorInvalidPitchValue;
    return fillBox(context, pitched(pointer, {0, 0, 0}), value, {extent.width, extent.height, extent.depth}, stream);
  });
}

cudaError_t fill2D(void* pointer, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream) {
  return call([&](Context& context) {
    if (width > pitch && height > 1) return cudaErrorInvalidPitchValue;
    return fillBox(context, linear(pointer, pitch), value, {width, height}, stream);
  });
}

bool areDevices(int first, int second) { return first == 0 && second == 0; }

// A copy within the device does not hold up the host, even in the synchronous forms.
HostWaits waitsFor(cudaMemcpyKind kind) { return kind == cudaMemcpyDeviceToDevice ? HostWaits::no : HostWaits::yes; }

}  // namespace

cudaError_t cudaMemcpy(void* to, const void* from, size_t count, cudaMemcpyKind kind) {
  return copy1D(to, from, count, kind, nullptr, waitsFor(kind));
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t count, cudaMemcpyKind kind, cudaStream_t stream) {
  return copy1D(to, from, count, kind, stream, HostWaits::no);
}

cudaError_t cudaMemcpyPeer(void* to, int toDevice, const void* from, int fromDevice, size_t count) {
  return cudaMemcpyPeerAsync(to, toDevice, from, fromDevice, count, nullptr);
}

cudaError_t cudaMemcpyPeerAsync(void* to, int toDevice, const void* from, int fromDevice, size_t count, cudaStream_t stream) {
  if (!areDevices(toDevice, fromDevice)) return record(cudaErrorInvalidDevice);
  return copy1D(to, from, count, cudaMemcpyDeviceToDevice, stream, HostWaits::no);
}

cudaError_t cudaMemcpy2D(void* to, size_t toPitch, const void* from, size_t fromPitch, size_t width, size_t height, cudaMemcpyKind kind) {
  return copy2D(to, toPitch, from, fromPitch, width, height, kind, nullptr, waitsFor(kind));
}

cudaError_t cudaMemcpy2DAsync(void* to, size_t toPitch, const void* from, size_t fromPitch, size_t width, size_t height,
                              cudaMemcpyKind kind, cudaStream_t stream) {
  return copy2D(to, toPitch, from, fromPitch, width, height, kind, stream, HostWaits::no);
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* parameters) {
  return copy3D(parameters, nullptr, parameters ? waitsFor(parameters->kind) : HostWaits::yes);
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters, cudaStream_t stream) {
  return copy3D(parameters, stream, HostWaits::no);
}

cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms* parameters) { return copy3DPeer(parameters, nullptr, HostWaits::no); }

cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms* parameters, cudaStream_t stream) {
  return copy3DPeer(parameters, stream, HostWaits::no);
}

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t count, size_t offset, cudaMemcpyKind kind) {
  return copyToSymbol(symbol, from, count, offset, kind, nullptr, waitsFor(kind));
}

cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t count, size_t offset, cudaMemcpyKind kind,
                                    cudaStream_t stream) {
  return copyToSymbol(symbol, from, count, offset, kind, stream, HostWaits::no);
}

cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t count, size_t offset, cudaMemcpyKind kind) {
  return copyFromSymbol(to, symbol, count, offset, kind, nullptr, waitsFor(kind));
}

cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t count, size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
  return copyFromSymbol(to, symbol, count, offset, kind, stream, HostWaits::no);
}

cudaError_t cudaGetSymbolAddress(void** pointer, const void* symbol) {
  return call([&](Context& context) {
    if (!pointer) return cudaErrorInvalidValue;
    const SymbolBytes bytes = bytesOf(context, symbol, 0, 0);
    if (bytes.status == cudaSuccess) *pointer = bytes.start;
    return bytes.status;
  });
}

cudaError_t cudaGetSymbolSize(size_t* size, const void* symbol) {
  return call([&](Context& context) {
    const Symbol* const found = context.registry.symbol(symbol);
    if (!found) return cudaErrorInvalidSymbol;
    if (!size) return cudaErrorInvalidValue;
    *size = found->size;
    return cudaSuccess;
  });
}

cudaError_t cudaMemset(void* pointer, int value, size_t count) { return cudaMemsetAsync(pointer, value, count, nullptr); }

cudaError_t cudaMemsetAsync(void* pointer, int value, size_t count, cudaStream_t stream) {
  return fill2D(pointer, count, value, count, 1, stream);
}

cudaError_t cudaMemset2D(void* pointer, size_t pitch, int value, size_t width, size_t height) {
  return fill2D(pointer, pitch, value, width, height, nullptr);
}

cudaError_t cudaMemset2DAsync(void* pointer, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream) {
  return fill2D(pointer, pitch, value, width, height, stream);
}

cudaError_t cudaMemset3D(cudaPitchedPtr pointer, int value, cudaExtent extent) { return fill3D(pointer, value, extent, nullptr); }

cudaError_t cudaMemset3DAsync(cudaPitchedPtr pointer, int value, cudaExtent extent, cudaStream_t stream) {
  return fill3D(pointer, value, extent, stream);
}
