// What a resource and a texture description of the API are to the device.
#pragma once

#include "context.hpp"
#include "exec/texture.hpp"

namespace warpwright::cudart {

// cudaDeviceProp::maxTexture1DLinear of current devices.
inline constexpr u64 kMostLinearTexels = u64{1} << 28;

cudaError_t imageOf(Context& context, const cudaResourceDesc& resource, exec::Image& image);
cudaError_t samplerOf(const cudaTextureDesc& texture, const exec::Image& image, exec::Sampler& sampler);
// Linear memory is read by texel number alone, and as zero outside: of the modes, only the read mode counts.
exec::Sampler linearMemorySampler(const exec::Sampler& given);

}  // namespace warpwright::cudart
