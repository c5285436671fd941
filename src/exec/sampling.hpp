// Reading a texture at coordinates: address modes, filtering and texel formats of one lane.
#pragma once

#include "exec/texture.hpp"
#include "isa/instruction.hpp"

namespace warpwright::exec {

// Four components as registers hold them: float bits, or integers (signed ones extended).
using Texel = std::array<u32, 4>;

struct SampleRequest {
  isa::Geometry geometry = isa::Geometry::d1;
  bool integerCoordinates = false;  // texel numbers: no filtering, no normalisation
  bool gather = false;              // component `component` of the four texels that a linear filter would blend
  u8 component = 0;
};

// Device addresses of the texels that one lane read.
struct TouchedTexels {
  std::array<u64, 8> addresses{};
  u32 count = 0;
  void add(GlobalAddress address) { addresses[count++] = address; }
};

// `coordinates`: coordinatesOf(geometry) registers, an array's index first. The linear filter takes the programming guide's formula with
// weights of 8 fractional bits (rounded to nearest), evaluates it exactly and rounds once; components that the format lacks are 0, the
// fourth is 1. An array's index is clamped to the layers.
Texel sample(const Texture& texture, const SampleRequest& request, const u32* coordinates, TouchedTexels& touched);

// One texel of an image, by its device address: integers as they are, 16-bit floats widened.
Texel readTexel(const TexelFormat& format, GlobalAddress address);
// 32-bit components converted to the format: floats rounded to nearest, integers cut to the component's width.
void writeTexel(const TexelFormat& format, GlobalAddress address, const Texel& texel, u32 components);
// Whether components are floats when they are read: floating formats, and integers read normalised.
bool readsFloats(const Texture& texture);

float floatOfHalf(u16 bits);
// Rounded to nearest, ties to even.
u16 halfOfFloat(float value);

}  // namespace warpwright::exec
