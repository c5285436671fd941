// Arrays, channel formats and resource descriptions in the device's terms.
#pragma once

#include "context.hpp"
#include "copy.hpp"
#include "exec/texture.hpp"

namespace warpwright::cudart {

// Empty for formats that textures do not have: three components, unequal widths, odd widths.
std::optional<exec::TexelFormat> formatOf(const cudaChannelFormatDesc& channels);
cudaChannelFormatDesc channelsOf(const exec::TexelFormat& format);

runtime::Array* arrayOf(Context& context, cudaArray_const_t array);

// The bytes of an array from a position on: x in bytes, rows, slices. Empty when the box does not lie in the array.
std::optional<Side> sideOf(const runtime::Array& array, u64 xBytes, u64 y, u64 z, const Box& box);

}  // namespace warpwright::cudart
