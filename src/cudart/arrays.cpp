#include "arrays.hpp"

namespace warpwright::cudart {

std::optional<exec::TexelFormat> formatOf(const cudaChannelFormatDesc& channels) {
  const int bits[] = {channels.x, channels.y, channels.z, channels.w};
  int components = 0;
  while (components < 4 && bits[components] != 0) ++components;
  if (components != 1 && components != 2 && components != 4) return std::nullopt;
  for (int i = 0; i < 4; ++i)
    if (bits[i] != (i < components ? channels.x : 0)) return std::nullopt;
  const bool floating = channels.f == cudaChannelFormatKindFloat;
  if (channels.x != 32 && channels.x != 16 && (channels.x != 8 || floating)) return std::nullopt;
  if (channels.f < cudaChannelFormatKindSigned || channels.f > cudaChannelFormatKindFloat) return std::nullopt;
  const exec::ChannelKind kind = floating                                    ? exec::ChannelKind::floating
                                 : channels.f == cudaChannelFormatKindSigned ? exec::ChannelKind::signedInteger
                                                                             : exec::ChannelKind::unsignedInteger;
  return exec::TexelFormat{static_cast<u8>(components), static_cast<u8>(channels.x), kind};
}

cudaChannelFormatDesc channelsOf(const exec::TexelFormat& format) {
  const auto bits = [&](int component) { return component < format.components ? int{format.bits} : 0; };
  const cudaChannelFormatKind kind = format.kind == exec::ChannelKind::floating        ? cudaChannelFormatKindFloat
                                     : format.kind == exec::ChannelKind::signedInteger ? cudaChannelFormatKindSigned
                                                                                       : cudaChannelFormatKindUnsigned;
  return {bits(0), bits(1), bits(2), bits(3), kind};
}

runtime::Array* arrayOf(Context& context, cudaArray_const_t handle) {
  for (const auto& device : context.devices().all())
    if (runtime::Array* const array = device->arrays().find(handle)) return array;
  return nullptr;
}

std::optional<Side> sideOf(const runtime::Array& array, u64 xBytes, u64 y, u64 z, const Box& box) {
  const exec::Image& image = array.image;
  const auto fits = [](u64 from, u64 count, u64 size) { return from <= size && count <= size - from; };
  if (!fits(xBytes, box.width, u64{image.width} * image.format.bytes())) return std::nullopt;
  if (!fits(y, box.height, image.height) || !fits(z, box.depth, image.slices)) return std::nullopt;
  std::byte* const start = exec::GlobalMemory::hostPointer(image.address + z * image.sliceBytes + y * image.rowBytes + xBytes);
  return Side{start, image.rowBytes, image.sliceBytes};
}

}  // namespace warpwright::cudart
