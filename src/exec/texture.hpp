// Textures and surfaces as kernels see them: where the texels lie, how they are stored, how they are read. The handle of one is a
// number that the program passes around (an object), or the address of a module variable of an opaque type (a reference).
#pragma once

#include <array>

#include "base/types.hpp"

namespace warpwright::exec {

enum class ChannelKind : u8 { signedInteger, unsignedInteger, floating };

// How a texel is stored: components of equal width side by side.
struct TexelFormat {
  u8 components = 1;  // 1, 2, 4
  u8 bits = 32;       // of a component: 8, 16, 32; 16 and 32 for floating
  ChannelKind kind = ChannelKind::floating;

  u32 bytes() const { return u32{components} * bits / 8; }
  bool operator==(const TexelFormat&) const = default;
};

// Texels in global memory, row by row and slice by slice. A slice is one z of a volume, one layer of an array, or one face of a cube map
// (in the order +x -x +y -y +z -z; six a layer).
struct Image {
  GlobalAddress address;
  TexelFormat format;
  u32 width = 1, height = 1, slices = 1;  // texels
  u64 rowBytes = 0, sliceBytes = 0;       // distances
  bool cube = false, layered = false;

  // From the first texel to behind the last.
  u64 bytes() const { return (slices - 1) * sliceBytes + (height - 1) * rowBytes + u64{width} * format.bytes(); }
};

enum class AddressMode : u8 { wrap, clamp, mirror, border };

// How a texture reads its image (CUDA C++ programming guide, "Texture Fetching").
struct Sampler {
  std::array<AddressMode, 3> modes{AddressMode::clamp, AddressMode::clamp, AddressMode::clamp};
  bool linearFilter = false;           // otherwise the nearest texel
  bool normalizedCoordinates = false;  // 0 … 1 instead of 0 … size
  bool normalizedRead = false;         // integers become floats in 0 … 1 or -1 … 1
  std::array<u32, 4> border{};         // components outside of the image: float bits, or integers of an integer texture
};

struct Texture {
  Image image;
  Sampler sampler;
};

// What handles stand for. Null: the handle stands for nothing of that kind.
class ResourceTable {
 public:
  virtual ~ResourceTable() = default;
  virtual const Texture* texture(u64 handle) const = 0;
  virtual const Image* surface(u64 handle) const = 0;
};

}  // namespace warpwright::exec
