// Copies as the parameters of API functions describe them.
#include "arrays.hpp"
#include "copy.hpp"
#include "messages.hpp"

namespace warpwright::cudart {
namespace {

// With an array on either side the extent counts its texels; positions count texels in arrays and bytes elsewhere.
cudaError_t describeArrays(Context& context, const cudaMemcpy3DParms& p, Copy& copy) {
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
  copy = {*toSide, *fromSide, box, p.kind};
  return cudaSuccess;
}

}  // namespace

Side pitched(const cudaPitchedPtr& pointer, const cudaPos& position) {
  const u64 slicePitch = pointer.pitch * pointer.ysize;
  auto* const start = static_cast<std::byte*>(pointer.ptr);
  return {start + position.z * slicePitch + position.y * pointer.pitch + position.x, pointer.pitch, slicePitch};
}

bool fits(const cudaPitchedPtr& pointer, const cudaPos& position, const cudaExtent& extent) {
  const bool rows = position.x + extent.width <= pointer.pitch || extent.height * extent.depth <= 1;
  return rows && (position.y + extent.height <= pointer.ysize || extent.depth <= 1);
}

cudaError_t describe(Context& context, const cudaMemcpy3DParms& p, Copy& copy) {
  if (p.srcArray || p.dstArray) return describeArrays(context, p, copy);
  if (!p.srcPtr.ptr || !p.dstPtr.ptr) return cudaErrorInvalidValue;
  if (!fits(p.srcPtr, p.srcPos, p.extent) || !fits(p.dstPtr, p.dstPos, p.extent)) return cudaErrorInvalidPitchValue;
  copy = {pitched(p.dstPtr, p.dstPos), pitched(p.srcPtr, p.srcPos), {p.extent.width, p.extent.height, p.extent.depth}, p.kind};
  return cudaSuccess;
}

SymbolBytes bytesOf(Context& context, const void* symbol, u64 count, u64 offset) {
  Symbol* const found = context.registry.symbol(symbol);
  if (!found) return {cudaErrorInvalidSymbol};
  const cudaError_t failure = context.registry.load(context.device(), *found->binary).failure;
  if (failure != cudaSuccess) return {failure};
  const u64 address = found->addressOn(context.device());
  if (address == 0) {
    printError("variable '" + found->name + "' is not in the device code: the compiler removed it\n  remedy: declare it outside of " +
               "anonymous namespaces, so that the host can reach it");
    return {cudaErrorInvalidSymbol};
  }
  if (offset > found->size || count > found->size - offset) return {cudaErrorInvalidValue};
  return {cudaSuccess, reinterpret_cast<void*>(address + offset)};
}

}  // namespace warpwright::cudart
