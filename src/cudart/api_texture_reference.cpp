// Texture and surface references: module variables that a program binds to memory. CUDA 12 dropped them.
#include "arrays.hpp"
#include "cuda_runtime_api.h"
#include "messages.hpp"
#include "texture_binding.hpp"

using namespace warpwright;
using namespace warpwright::cudart;

namespace {

// The address that stands for the reference, once its module is loaded; 0: there is none.
u64 handleOf(Context& context, const void* reference) {
  Symbol* const symbol = context.registry.symbol(reference);
  if (!symbol || context.registry.load(context.device(), *symbol->binary).failure != cudaSuccess) return 0;
  return symbol->addressOn(context.device());
}

cudaTextureDesc descriptionOf(Context& context, const textureReference& reference) {
  cudaTextureDesc description{};
  std::copy(std::begin(reference.addressMode), std::end(reference.addressMode), description.addressMode);
  description.filterMode = reference.filterMode;
  const Symbol* const symbol = context.registry.symbol(&reference);
  description.readMode = symbol && symbol->normalizedRead ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
  description.sRGB = reference.sRGB;
  description.normalizedCoords = reference.normalized;
  return description;
}

cudaError_t bind(const textureReference* reference, const cudaResourceDesc& resource) {
  return callWhenDone([&](Context& context) -> cudaError_t {
    if (!reference) return cudaErrorInvalidTexture;
    exec::Texture texture;
    if (const cudaError_t status = imageOf(context, resource, texture.image); status != cudaSuccess) return status;
    if (const cudaError_t status = samplerOf(descriptionOf(context, *reference), texture.image, texture.sampler); status != cudaSuccess)
      return status;
    if (resource.resType == cudaResourceTypeLinear) texture.sampler = linearMemorySampler(texture.sampler);
    const u64 handle = handleOf(context, reference);
    if (handle == 0) return cudaErrorInvalidTexture;
    context.device().textures().bindTexture(handle, texture);
    return cudaSuccess;
  });
}

}  // namespace

cudaError_t cudaBindTexture(size_t* offset, const textureReference* reference, const void* pointer, const cudaChannelFormatDesc* channels,
                            size_t size) {
  if (!reference || !channels) return record(cudaErrorInvalidValue);
  // Memory is bound from any address on, so that no offset remains. A size that reaches behind the allocation means all of it.
  if (offset) *offset = 0;
  const cudaError_t sized = call([&](Context& context) {
    const GlobalAddress first = exec::GlobalMemory::addressOf(pointer);
    const exec::Allocation* const found = context.devices().find(first, 1);
    if (!found) return cudaErrorInvalidValue;
    size = std::min<u64>(size, found->end() - first);
    return cudaSuccess;
  });
  if (sized != cudaSuccess) return sized;
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear = {const_cast<void*>(pointer), *channels, size};
  return bind(reference, resource);
}

cudaError_t cudaBindTexture2D(size_t* offset, const textureReference* reference, const void* pointer, const cudaChannelFormatDesc* channels,
                              size_t width, size_t height, size_t pitch) {
  if (!reference || !channels) return record(cudaErrorInvalidValue);
  if (offset) *offset = 0;
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D = {const_cast<void*>(pointer), *channels, width, height, pitch};
  return bind(reference, resource);
}

cudaError_t cudaBindTextureToArray(const textureReference* reference, cudaArray_const_t array, const cudaChannelFormatDesc*) {
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = const_cast<cudaArray_t>(array);
  return bind(reference, resource);
}

cudaError_t cudaUnbindTexture(const textureReference* reference) {
  return callWhenDone([&](Context& context) {
    const u64 handle = handleOf(context, reference);
    if (handle == 0) return cudaErrorInvalidTexture;
    context.device().textures().unbind(handle);
    return cudaSuccess;
  });
}

cudaError_t cudaGetTextureAlignmentOffset(size_t* offset, const textureReference* reference) {
  return call([&](Context& context) {
    const u64 handle = handleOf(context, reference);
    if (!offset || handle == 0) return cudaErrorInvalidTexture;
    if (!context.device().textures().texture(handle)) return cudaErrorInvalidTextureBinding;
    *offset = 0;
    return cudaSuccess;
  });
}

cudaError_t cudaGetTextureReference(const textureReference** reference, const void* symbol) {
  return call([&](Context& context) {
    if (!reference || !context.registry.symbol(symbol)) return cudaErrorInvalidTexture;
    *reference = static_cast<const textureReference*>(symbol);
    return cudaSuccess;
  });
}

cudaError_t cudaBindSurfaceToArray(const surfaceReference* reference, cudaArray_const_t handle, const cudaChannelFormatDesc*) {
  return callWhenDone([&](Context& context) {
    const runtime::Array* const array = arrayOf(context, handle);
    if (!array) return cudaErrorInvalidResourceHandle;
    const u64 address = handleOf(context, reference);
    if (address == 0) return cudaErrorInvalidSurface;
    context.device().textures().bindSurface(address, array->image);
    return cudaSuccess;
  });
}

cudaError_t cudaGetSurfaceReference(const surfaceReference** reference, const void* symbol) {
  return call([&](Context& context) {
    if (!reference || !context.registry.symbol(symbol)) return cudaErrorInvalidSurface;
    *reference = static_cast<const surfaceReference*>(symbol);
    return cudaSuccess;
  });
}

#pragma GCC visibility push(default)
extern "C" {

void __cudaRegisterTexture(void** handle, const textureReference* host, const void**, const char* name, int, int normalizedRead, int) {
  Context& context = Context::instance();
  const std::lock_guard lock(context.mutex);
  Symbol symbol{reinterpret_cast<FatBinary*>(handle), name, sizeof(u64), {}, nullptr, nullptr};
  symbol.normalizedRead = normalizedRead != 0;
  context.registry.addSymbol(host, std::move(symbol));
}

void __cudaRegisterSurface(void** handle, const surfaceReference* host, const void**, const char* name, int, int) {
  Context& context = Context::instance();
  const std::lock_guard lock(context.mutex);
  context.registry.addSymbol(host, {reinterpret_cast<FatBinary*>(handle), name, sizeof(u64), {}, nullptr, nullptr});
}

}  // extern "C"
#pragma GCC visibility pop
