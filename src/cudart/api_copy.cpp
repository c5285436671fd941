// cudaMemcpy and cudaMemset in all their forms.
#include "copy.hpp"
#include "cuda_runtime_api.h"

using namespace warpwright;
using namespace warpwright::cudart;

namespace {

cudaError_t copy1D(void* to, const void* from, size_t count, cudaMemcpyKind kind, cudaStream_t stream, HostWaits waits) {
  return call([&](Context& context) { return copyBytes(context, to, from, count, kind, stream, waits); });
}

cudaError_t copy2D(void* to, size_t toPitch, const void* from, size_t fromPitch, size_t width, size_t height, cudaMemcpyKind kind,
                   cudaStream_t stream, HostWaits waits) {
  return call([&](Context& context) {
    if (width > toPitch || width > fromPitch) return cudaErrorInvalidPitchValue;
    return copyBox(context, {linear(to, toPitch), linear(from, fromPitch), {width, height}, kind}, stream, waits);
  });
}

cudaError_t copy3D(const cudaMemcpy3DParms* parameters, cudaStream_t stream, HostWaits waits) {
  return call([&](Context& context) -> cudaError_t {
    if (!parameters) return cudaErrorInvalidValue;
    Copy copy;
    const cudaError_t status = describe(context, *parameters, copy);
    return status == cudaSuccess ? copyBox(context, copy, stream, waits) : status;
  });
}

bool areDevices(int first, int second) {
  const auto areThere = [&](Context& context) {
    return context.devices().has(first) && context.devices().has(second) ? cudaSuccess : cudaErrorInvalidDevice;
  };
  return call(areThere) == cudaSuccess;
}

cudaError_t copy3DPeer(const cudaMemcpy3DPeerParms* parameters, cudaStream_t stream, HostWaits waits) {
  if (!parameters) return record(cudaErrorInvalidValue);
  if (!areDevices(parameters->srcDevice, parameters->dstDevice)) return record(cudaErrorInvalidDevice);
  const cudaMemcpy3DPeerParms& p = *parameters;
  const cudaMemcpy3DParms plain{p.srcArray, p.srcPos, p.srcPtr, p.dstArray, p.dstPos, p.dstPtr, p.extent, cudaMemcpyDeviceToDevice};
  return copy3D(&plain, stream, waits);
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

Element byteOf(int value) { return {static_cast<u32>(value), 1}; }

cudaError_t fill3D(const cudaPitchedPtr& pointer, int value, const cudaExtent& extent, cudaStream_t stream) {
  return call([&](Context& context) {
    if (!fits(pointer, {0, 0, 0}, extent)) return cudaErrorInvalidPitchValue;
    return fillBox(context, {pitched(pointer, {0, 0, 0}), byteOf(value), {extent.width, extent.height, extent.depth}}, stream);
  });
}

cudaError_t fill2D(void* pointer, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream) {
  return call([&](Context& context) {
    if (width > pitch && height > 1) return cudaErrorInvalidPitchValue;
    return fillBox(context, {linear(pointer, pitch), byteOf(value), {width, height}}, stream);
  });
}

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
