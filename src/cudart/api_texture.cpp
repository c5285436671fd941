// Texture and surface objects, and what gives a resource its meaning.
#include <algorithm>
#include <bit>
#include <map>

#include "arrays.hpp"
#include "cuda_runtime_api.h"
#include "messages.hpp"
#include "texture_binding.hpp"

using namespace warpwright;
using namespace warpwright::cudart;

namespace {

// The descriptions of live objects, as the program gave them.
struct TextureDescription {
  cudaResourceDesc resource;
  cudaTextureDesc texture;
  std::optional<cudaResourceViewDesc> view;
};

std::map<cudaTextureObject_t, TextureDescription>& textureDescriptions() {
  static auto* const descriptions = new std::map<cudaTextureObject_t, TextureDescription>;
  return *descriptions;
}

std::map<cudaSurfaceObject_t, cudaResourceDesc>& surfaceDescriptions() {
  static auto* const descriptions = new std::map<cudaSurfaceObject_t, cudaResourceDesc>;
  return *descriptions;
}

// Copies an answer about a live texture object; a reset device has none.
template <typename Answer>
cudaError_t describe(cudaTextureObject_t texture, const void* to, Answer&& answer) {
  return call([&](Context& context) {
    const auto found = textureDescriptions().find(texture);
    if (!to || found == textureDescriptions().end() || !context.device().textures().texture(texture)) return cudaErrorInvalidValue;
    return answer(found->second);
  });
}

}  // namespace

namespace warpwright::cudart {

cudaError_t imageOf(Context& context, const cudaResourceDesc& resource, exec::Image& image) {
  switch (resource.resType) {
    case cudaResourceTypeArray: {
      const runtime::Array* const array = arrayOf(context, resource.res.array.array);
      if (!array) return cudaErrorInvalidResourceHandle;
      image = array->image;
      return cudaSuccess;
    }
    case cudaResourceTypeLinear: {
      const auto& linear = resource.res.linear;
      const auto format = formatOf(linear.desc);
      if (!format) return cudaErrorInvalidChannelDescriptor;
      const u64 texels = linear.sizeInBytes / format->bytes();
      if (!linear.devPtr || texels == 0 || texels > kMostLinearTexels) return cudaErrorInvalidValue;
      image = {exec::GlobalMemory::addressOf(linear.devPtr), *format, static_cast<u32>(texels)};
      break;
    }
    case cudaResourceTypePitch2D: {
      const auto& pitched = resource.res.pitch2D;
      const auto format = formatOf(pitched.desc);
      if (!format) return cudaErrorInvalidChannelDescriptor;
      if (!pitched.devPtr || pitched.width == 0 || pitched.height == 0) return cudaErrorInvalidValue;
      if (pitched.pitchInBytes < pitched.width * format->bytes()) return cudaErrorInvalidPitchValue;
      image = {exec::GlobalMemory::addressOf(pitched.devPtr), *format, static_cast<u32>(pitched.width), static_cast<u32>(pitched.height)};
      image.rowBytes = pitched.pitchInBytes;
      break;
    }
    default:
      printError("mipmapped arrays are not supported\n  remedy: use an array of one level (cudaMallocArray)");
      return cudaErrorNotSupported;
  }
  return context.memory().find(image.address, image.bytes()) ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t samplerOf(const cudaTextureDesc& texture, const exec::Image& image, exec::Sampler& sampler) {
  const bool floating = image.format.kind == exec::ChannelKind::floating;
  const bool normalizedRead = texture.readMode == cudaReadModeNormalizedFloat;
  if (texture.filterMode != cudaFilterModePoint && texture.filterMode != cudaFilterModeLinear) return cudaErrorInvalidFilterSetting;
  if (texture.filterMode == cudaFilterModeLinear && !floating && !normalizedRead) return cudaErrorInvalidFilterSetting;
  if (normalizedRead && !floating && image.format.bits == 32) return cudaErrorInvalidNormSetting;
  if (texture.sRGB != 0) {
    printError("textures in sRGB are not supported\n  remedy: set cudaTextureDesc::sRGB to 0 and convert in the kernel");
    return cudaErrorNotSupported;
  }
  for (u32 d = 0; d < 3; ++d) {
    if (texture.addressMode[d] < cudaAddressModeWrap || texture.addressMode[d] > cudaAddressModeBorder) return cudaErrorInvalidValue;
    sampler.modes[d] = static_cast<exec::AddressMode>(texture.addressMode[d]);
  }
  sampler.linearFilter = texture.filterMode == cudaFilterModeLinear;
  sampler.normalizedCoordinates = texture.normalizedCoords != 0;
  sampler.normalizedRead = normalizedRead && !floating;
  for (u32 i = 0; i < 4; ++i) sampler.border[i] = std::bit_cast<u32>(texture.borderColor[i]);
  return cudaSuccess;
}

exec::Sampler linearMemorySampler(const exec::Sampler& given) {
  exec::Sampler sampler;
  sampler.modes.fill(exec::AddressMode::border);
  sampler.normalizedRead = given.normalizedRead;
  return sampler;
}

}  // namespace warpwright::cudart

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* object, const cudaResourceDesc* resource, const cudaTextureDesc* description,
                                    const cudaResourceViewDesc* view) {
  return call([&](Context& context) -> cudaError_t {
    if (!object || !resource || !description) return cudaErrorInvalidValue;
    if (view && view->format != cudaResViewFormatNone) {
      printError("views of a texture in another format are not supported\n  remedy: pass no cudaResourceViewDesc");
      return cudaErrorNotSupported;
    }
    exec::Texture texture;
    if (const cudaError_t status = imageOf(context, *resource, texture.image); status != cudaSuccess) return status;
    if (const cudaError_t status = samplerOf(*description, texture.image, texture.sampler); status != cudaSuccess) return status;
    if (resource->resType == cudaResourceTypeLinear) texture.sampler = linearMemorySampler(texture.sampler);
    *object = context.device().textures().addTexture(texture);
    textureDescriptions()[*object] = {*resource, *description, view ? std::optional(*view) : std::nullopt};
    return cudaSuccess;
  });
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture) {
  return callWhenDone([&](Context& context) {
    textureDescriptions().erase(texture);
    return texture == 0 || context.device().textures().removeTexture(texture) ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource, cudaTextureObject_t texture) {
  return describe(texture, resource, [&](const TextureDescription& known) {
    *resource = known.resource;
    return cudaSuccess;
  });
}

cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* description, cudaTextureObject_t texture) {
  return describe(texture, description, [&](const TextureDescription& known) {
    *description = known.texture;
    return cudaSuccess;
  });
}

cudaError_t cudaGetTextureObjectResourceViewDesc(cudaResourceViewDesc* view, cudaTextureObject_t texture) {
  return describe(texture, view, [&](const TextureDescription& known) {
    if (!known.view) return cudaErrorInvalidValue;
    *view = *known.view;
    return cudaSuccess;
  });
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* surface, const cudaResourceDesc* resource) {
  return call([&](Context& context) -> cudaError_t {
    if (!surface || !resource) return cudaErrorInvalidValue;
    if (resource->resType != cudaResourceTypeArray) return cudaErrorInvalidChannelDescriptor;
    const runtime::Array* const array = arrayOf(context, resource->res.array.array);
    if (!array) return cudaErrorInvalidResourceHandle;
    if ((array->flags & cudaArraySurfaceLoadStore) == 0) {
      printError("surfaces need an array that was allocated with cudaArraySurfaceLoadStore");
      return cudaErrorInvalidValue;
    }
    *surface = context.device().textures().addSurface(array->image);
    surfaceDescriptions()[*surface] = *resource;
    return cudaSuccess;
  });
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface) {
  return callWhenDone([&](Context& context) {
    surfaceDescriptions().erase(surface);
    return surface == 0 || context.device().textures().removeSurface(surface) ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* resource, cudaSurfaceObject_t surface) {
  return call([&](Context& context) {
    const auto found = surfaceDescriptions().find(surface);
    if (!resource || found == surfaceDescriptions().end() || !context.device().textures().surface(surface)) return cudaErrorInvalidValue;
    *resource = found->second;
    return cudaSuccess;
  });
}
