#include "exec/sampling.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace warpwright::exec {
namespace {

using isa::Geometry;

// Where to read: coordinates in texels (0 … size), the slice of layers and faces, and how many dimensions are filtered.
struct Position {
  std::array<double, 3> at{};
  u32 dimensions = 1;
  u32 slice = 0;
};

// Face of a cube map and coordinates within it (CUDA C++ programming guide, "Cubemap Textures").
struct FacePoint {
  u32 face;
  float s, t;
};

FacePoint facePoint(float x, float y, float z) {
  const float ax = std::fabs(x), ay = std::fabs(y), az = std::fabs(z);
  const auto on = [](u32 face, float major, float s, float t) -> FacePoint {
    return {face, (s / major + 1.0f) / 2.0f, (t / major + 1.0f) / 2.0f};
  };
  if (ax > ay && ax > az) return x >= 0 ? on(0, ax, -z, -y) : on(1, ax, z, -y);
  if (ay > az) return y >= 0 ? on(2, ay, x, z) : on(3, ay, x, -z);
  return z >= 0 ? on(4, az, x, -y) : on(5, az, -x, -y);
}

u32 clampLayer(u32 index, u32 layers) { return std::min(index, std::max(layers, 1u) - 1); }

bool isCube(Geometry geometry) { return geometry == Geometry::cube || geometry == Geometry::acube; }
bool isIndexed(Geometry geometry) { return geometry == Geometry::a1d || geometry == Geometry::a2d || geometry == Geometry::acube; }

double texels(const Texture& texture, const SampleRequest& request, u32 bits, u32 size) {
  if (request.integerCoordinates) return static_cast<s32>(bits);
  const float coordinate = std::bit_cast<float>(bits);
  return texture.sampler.normalizedCoordinates ? coordinate * static_cast<float>(size) : coordinate;
}

Position positionOf(const Texture& texture, const SampleRequest& request, const u32* coordinates) {
  const Image& image = texture.image;
  Position position;
  const u32 layer = isIndexed(request.geometry) ? coordinates[0] : 0;
  const u32* rest = coordinates + (isIndexed(request.geometry) ? 1 : 0);
  if (isCube(request.geometry)) {
    const FacePoint point = facePoint(std::bit_cast<float>(rest[0]), std::bit_cast<float>(rest[1]), std::bit_cast<float>(rest[2]));
    position.dimensions = 2;
    position.slice = 6 * clampLayer(layer, image.slices / 6) + point.face;
    position.at = {point.s * static_cast<float>(image.width), point.t * static_cast<float>(image.height), 0};
    return position;
  }
  position.dimensions = isa::coordinatesOf(request.geometry) - (isIndexed(request.geometry) ? 1 : 0);
  position.slice = isIndexed(request.geometry) ? clampLayer(layer, image.slices) : 0;
  const std::array sizes{image.width, image.height, image.slices};
  for (u32 d = 0; d < position.dimensions; ++d) position.at[d] = texels(texture, request, rest[d], sizes[d]);
  return position;
}

// Coordinates far outside of any image are all the same to clamping and border, and keep their phase in a period.
s64 toIndex(double value) {
  constexpr double kFar = 0x1p52;
  if (std::isnan(value)) return 0;
  return static_cast<s64>(std::floor(std::clamp(value, -kFar, kFar)));
}

s64 modulo(s64 index, s64 size) { return (index % size + size) % size; }

// The texel that an index outside of the image stands for; -1: the border.
s64 address(s64 index, u32 size, AddressMode mode) {
  const s64 count = size;
  switch (mode) {
    case AddressMode::wrap:
      return modulo(index, count);
    case AddressMode::mirror: {
      const s64 phase = modulo(index, 2 * count);
      return phase < count ? phase : 2 * count - 1 - phase;
    }
    case AddressMode::border:
      return index < 0 || index >= count ? -1 : index;
    case AddressMode::clamp:
      break;
  }
  return std::clamp<s64>(index, 0, count - 1);
}

class Reader {
 public:
  Reader(const Texture& texture, const SampleRequest& request, const Position& position, TouchedTexels& touched)
      : texture_(texture), request_(request), position_(position), touched_(touched) {}

  Texel at(const std::array<s64, 3>& index) {
    const Image& image = texture_.image;
    const std::array sizes{image.width, image.height, image.slices};
    std::array<s64, 3> texelAt{0, 0, position_.slice};
    for (u32 d = 0; d < position_.dimensions; ++d) {
      texelAt[d] = address(index[d], sizes[d], modeOf(d));
      if (texelAt[d] < 0) return texture_.sampler.border;
    }
    const GlobalAddress address = image.address + static_cast<u64>(texelAt[2]) * image.sliceBytes +
                                  static_cast<u64>(texelAt[1]) * image.rowBytes + static_cast<u64>(texelAt[0]) * image.format.bytes();
    touched_.add(address);
    const Texel texel = readTexel(image.format, address);
    return texture_.sampler.normalizedRead ? normalized(texel) : texel;
  }

 private:
  // Wrapping and mirroring need normalised coordinates (cudaAddressModeWrap); faces of a cube end at their edges.
  AddressMode modeOf(u32 dimension) const {
    if (isCube(request_.geometry)) return AddressMode::clamp;
    const AddressMode mode = texture_.sampler.modes[dimension];
    const bool periodic = mode == AddressMode::wrap || mode == AddressMode::mirror;
    return periodic && !texture_.sampler.normalizedCoordinates ? AddressMode::clamp : mode;
  }

  // The full range of the integer becomes 0 … 1, or -1 … 1 of a signed one.
  Texel normalized(const Texel& texel) const {
    const TexelFormat& format = texture_.image.format;
    if (format.kind == ChannelKind::floating) return texel;
    const bool isSigned = format.kind == ChannelKind::signedInteger;
    const float scale = static_cast<float>((1u << (format.bits - (isSigned ? 1 : 0))) - 1);
    Texel result{0, 0, 0, std::bit_cast<u32>(1.0f)};
    for (u32 i = 0; i < format.components; ++i) {
      const float value = isSigned ? static_cast<float>(static_cast<s32>(texel[i])) : static_cast<float>(texel[i]);
      result[i] = std::bit_cast<u32>(std::max(value / scale, -1.0f));
    }
    return result;
  }

  const Texture& texture_;
  const SampleRequest& request_;
  const Position& position_;
  TouchedTexels& touched_;
};

Texel nearest(Reader& reader, const Position& position) {
  std::array<s64, 3> index{};
  for (u32 d = 0; d < position.dimensions; ++d) index[d] = toIndex(position.at[d]);
  return reader.at(index);
}

// Lower corner and weight of one dimension of the linear filter: 8 fractional bits, so that 1 is among the weights.
struct Corner {
  s64 index;
  double weight;
};

Corner cornerOf(double at) {
  const double shifted = at - 0.5, lower = std::floor(shifted);
  return {toIndex(shifted), std::isfinite(shifted) ? std::floor((shifted - lower) * 256.0 + 0.5) / 256.0 : 0.0};
}

Texel linear(Reader& reader, const Position& position) {
  std::array<Corner, 3> corners{};
  for (u32 d = 0; d < position.dimensions; ++d) corners[d] = cornerOf(position.at[d]);
  std::array<double, 4> sum{};
  for (u32 corner = 0; corner < 1u << position.dimensions; ++corner) {
    std::array<s64, 3> index{};
    double weight = 1.0;
    for (u32 d = 0; d < position.dimensions; ++d) {
      const bool upper = corner >> d & 1;
      index[d] = corners[d].index + (upper ? 1 : 0);
      weight *= upper ? corners[d].weight : 1.0 - corners[d].weight;
    }
    // An infinity beside the texel asked for does not spoil it.
    if (weight == 0.0) continue;
    const Texel texel = reader.at(index);
    for (u32 i = 0; i < 4; ++i) sum[i] += weight * std::bit_cast<float>(texel[i]);
  }
  Texel result;
  for (u32 i = 0; i < 4; ++i) result[i] = std::bit_cast<u32>(static_cast<float>(sum[i]));
  return result;
}

// Counter-clockwise from the lower left: (0,1), (1,1), (1,0), (0,0).
Texel gather(Reader& reader, const Position& position, u32 component) {
  const s64 x = cornerOf(position.at[0]).index, y = cornerOf(position.at[1]).index;
  return {reader.at({x, y + 1, 0})[component], reader.at({x + 1, y + 1, 0})[component], reader.at({x + 1, y, 0})[component],
          reader.at({x, y, 0})[component]};
}

}  // namespace

bool readsFloats(const Texture& texture) { return texture.image.format.kind == ChannelKind::floating || texture.sampler.normalizedRead; }

Texel sample(const Texture& texture, const SampleRequest& request, const u32* coordinates, TouchedTexels& touched) {
  const Position position = positionOf(texture, request, coordinates);
  Reader reader(texture, request, position, touched);
  if (request.gather) return gather(reader, position, request.component);
  const bool filters = texture.sampler.linearFilter && readsFloats(texture) && !request.integerCoordinates;
  return filters ? linear(reader, position) : nearest(reader, position);
}

}  // namespace warpwright::exec
