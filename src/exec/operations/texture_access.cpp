// Textures and surfaces of a warp: handles, lanes, checks, events. What one lane reads is in sampling.cpp.
#include "exec/operations/texture_access.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "exec/sampling.hpp"

namespace warpwright::exec {
namespace {

using isa::Geometry;
using isa::TextureQuery;

std::string hexadecimal(u64 value) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

// The values of cl_channel_type and cl_channel_order, which txq and suq return (PTX ISA, "Texture Sampler and Surface Types").
u32 channelType(const TexelFormat& format) {
  constexpr u32 kSigned8 = 0x10d7, kUnsigned8 = 0x10da, kHalf = 0x10dd, kFloat = 0x10de;
  if (format.kind == ChannelKind::floating) return format.bits == 16 ? kHalf : kFloat;
  const u32 width = format.bits == 8 ? 0 : format.bits == 16 ? 1 : 2;
  return (format.kind == ChannelKind::signedInteger ? kSigned8 : kUnsigned8) + width;
}

u32 channelOrder(const TexelFormat& format) {
  constexpr u32 kR = 0x10b0, kRG = 0x10b2, kRGBA = 0x10b5;
  return format.components == 1 ? kR : format.components == 2 ? kRG : kRGBA;
}

u32 imageAnswer(const Image& image, TextureQuery query) {
  const u32 layers = image.cube ? image.slices / 6 : image.slices;
  switch (query) {
    case TextureQuery::width:
      return image.width;
    case TextureQuery::height:
      return image.height;
    case TextureQuery::depth:
      return image.layered || image.cube ? 1 : image.slices;
    case TextureQuery::array_size:
      return image.layered ? layers : 0;
    case TextureQuery::channel_data_type:
      return channelType(image.format);
    case TextureQuery::channel_order:
      return channelOrder(image.format);
    case TextureQuery::num_mipmap_levels:
    case TextureQuery::num_samples:
      return 1;
    default:
      return 0;
  }
}

u32 samplerAnswer(const Sampler& sampler, TextureQuery query) {
  switch (query) {
    case TextureQuery::normalized_coords:
      return sampler.normalizedCoordinates;
    case TextureQuery::filter_mode:
      return sampler.linearFilter;
    case TextureQuery::addr_mode_0:
      return static_cast<u32>(sampler.modes[0]);
    case TextureQuery::addr_mode_1:
      return static_cast<u32>(sampler.modes[1]);
    default:
      return static_cast<u32>(sampler.modes[2]);
  }
}

bool asksSampler(TextureQuery query) {
  return query == TextureQuery::normalized_coords || (query >= TextureQuery::filter_mode && query <= TextureQuery::addr_mode_2);
}

// Where a surface access goes. Outside: nowhere (zero) or the nearest bytes (clamp).
struct SurfacePosition {
  s64 x = 0, y = 0, slice = 0;
  bool inside = true;
};

SurfacePosition surfacePosition(const Image& image, const isa::Modifiers& m, const u32* coordinates, u32 bytes) {
  const bool indexed = m.geometry == Geometry::a1d || m.geometry == Geometry::a2d;
  const u32* rest = coordinates + (indexed ? 1 : 0);
  const u32 dimensions = isa::coordinatesOf(m.geometry) - (indexed ? 1 : 0);
  const u32 texelBytes = image.format.bytes();
  SurfacePosition position;
  position.x = s64{static_cast<s32>(rest[0])} * (m.formatted ? texelBytes : 1);
  if (dimensions > 1) position.y = static_cast<s32>(rest[1]);
  if (dimensions > 2) position.slice = static_cast<s32>(rest[2]);
  if (indexed) position.slice = static_cast<s32>(coordinates[0]);
  const SurfacePosition last{s64{image.width} * texelBytes - bytes, s64{image.height} - 1, s64{image.slices} - 1};
  const auto fits = [](s64 value, s64 most) { return value >= 0 && value <= most; };
  position.inside = fits(position.x, last.x) && fits(position.y, last.y) && fits(position.slice, last.slice);
  if (position.inside || m.boundary != isa::SurfaceBoundary::clamp || last.x < 0) return position;
  return {std::clamp<s64>(position.x, 0, last.x), std::clamp<s64>(position.y, 0, last.y), std::clamp<s64>(position.slice, 0, last.slice)};
}

template <typename T>
T reducedElement(isa::AtomicOp op, T a, T b) {
  switch (op) {
    case isa::AtomicOp::min:
      return std::min(a, b);
    case isa::AtomicOp::max:
      return std::max(a, b);
    case isa::AtomicOp::and_:
      return a & b;
    case isa::AtomicOp::or_:
      return a | b;
    default:
      return static_cast<T>(static_cast<u64>(a) + static_cast<u64>(b));
  }
}

template <typename T>
void reduceAt(isa::AtomicOp op, std::byte* at, u64 value) {
  T old;
  std::memcpy(&old, at, sizeof old);
  const T result = reducedElement(op, old, static_cast<T>(value));
  std::memcpy(at, &result, sizeof result);
}

void reduceAt(const isa::Instruction& instruction, std::byte* at, u64 value) {
  const isa::AtomicOp op = instruction.modifiers.atomic;
  if (instruction.type == isa::DataType::u64) return reduceAt<u64>(op, at, value);
  if (instruction.type == isa::DataType::s32) return reduceAt<s32>(op, at, value);
  reduceAt<u32>(op, at, value);
}

// The handle of a lane as an image in live memory.
void checkImage(const Grid& grid, const Issue& issue, LaneId lane, const Image* image, u64 handle, const char* kind) {
  if (!image)
    fault(site(grid, issue), lane, LaunchStatus::illegalAddress, std::string("the handle ") + hexadecimal(handle) + " is no " + kind,
          std::string("create or bind the ") + kind + " before the launch, and destroy it after the kernel has ended");
  if (!grid.memory.find(image->address, image->bytes()))
    fault(site(grid, issue), lane, LaunchStatus::illegalAddress, std::string("the memory of the ") + kind + " is not allocated any more",
          "free it after the kernel has ended");
}

void raiseTexels(Grid& grid, const Issue& issue, std::span<const u64> addresses, u32 bytes, bool isStore) {
  if (!grid.request.observer) return;
  TexelEvent event;
  event.warp = {issue.block.index, issue.warp.index};
  event.pc = issue.pc;
  event.instruction = issue.op.instruction;
  event.isStore = isStore;
  event.mask = issue.executing;
  event.addresses = addresses.data();
  event.count = static_cast<u32>(addresses.size());
  event.bytes = bytes;
  grid.request.observer->texels(event);
}

}  // namespace

void textureFetch(Grid& grid, const Issue& issue) {
  const isa::Instruction& instruction = *issue.op.instruction;
  const isa::Modifiers& m = instruction.modifiers;
  const u32* handles = source(issue.warp, issue.op.sources[0]);
  const u32* planes = source(issue.warp, issue.op.sources[1]);
  u32* destination = registers(issue.warp, issue.op.destinations[0]);
  const u32 count = isa::coordinatesOf(m.geometry);
  const SampleRequest request{m.geometry, instruction.sourceType != isa::DataType::f32, m.gather, m.component};
  std::vector<u64>& addresses = grid.texelAddresses;
  addresses.clear();
  const Texture* texture = nullptr;
  u64 known = 0;
  for (const LaneId lane : issue.executing) {
    const u64 handle = wide(grid, handles, lane);
    if (!texture || handle != known) {
      texture = grid.request.resources ? grid.request.resources->texture(handle) : nullptr;
      checkImage(grid, issue, lane, texture ? &texture->image : nullptr, handle, "texture");
      known = handle;
    }
    std::array<u32, 4> coordinates{};
    for (u32 c = 0; c < count; ++c) coordinates[c] = planes[c * grid.lanes + lane];
    TouchedTexels touched;
    const Texel texel = sample(*texture, request, coordinates.data(), touched);
    addresses.insert(addresses.end(), touched.addresses.begin(), touched.addresses.begin() + touched.count);
    for (u32 i = 0; i < 4; ++i) {
      const bool half = instruction.type == isa::DataType::f16;
      destination[i * grid.lanes + lane] = half ? halfOfFloat(std::bit_cast<float>(texel[i])) : texel[i];
    }
  }
  raiseTexels(grid, issue, addresses, texture ? texture->image.format.bytes() : 1, false);
}

void textureQuery(Grid& grid, const Issue& issue) {
  const TextureQuery query = issue.op.instruction->modifiers.query;
  const u32* handles = source(issue.warp, issue.op.sources[0]);
  u32* destination = registers(issue.warp, issue.op.destinations[0]);
  for (const LaneId lane : issue.executing) {
    const u64 handle = wide(grid, handles, lane);
    const Texture* texture = grid.request.resources ? grid.request.resources->texture(handle) : nullptr;
    const Image* image = texture || !grid.request.resources ? nullptr : grid.request.resources->surface(handle);
    if (!texture && !image) checkImage(grid, issue, lane, nullptr, handle, "texture or surface");
    const bool ofSampler = texture && asksSampler(query);
    destination[lane] = ofSampler ? samplerAnswer(texture->sampler, query) : imageAnswer(texture ? texture->image : *image, query);
  }
}

void surfaceAccess(Grid& grid, const Issue& issue) {
  const isa::Instruction& instruction = *issue.op.instruction;
  const isa::Modifiers& m = instruction.modifiers;
  const bool loads = instruction.opcode == isa::Opcode::suld;
  const u32* handles = source(issue.warp, issue.op.sources[0]);
  const u32* planes = source(issue.warp, issue.op.sources[1]);
  u32* data = loads ? registers(issue.warp, issue.op.destinations[0]) : const_cast<u32*>(source(issue.warp, issue.op.sources[2]));
  const u32 count = isa::coordinatesOf(m.geometry), words = isa::registerWords(instruction.type);
  const u32 elementBytes = isa::sizeOf(instruction.type), elements = instruction.vector;
  std::vector<u64>& addresses = grid.texelAddresses;
  addresses.clear();
  u32 bytes = elementBytes * elements;
  for (const LaneId lane : issue.executing) {
    const u64 handle = wide(grid, handles, lane);
    const Image* image = grid.request.resources ? grid.request.resources->surface(handle) : nullptr;
    checkImage(grid, issue, lane, image, handle, "surface");
    if (m.formatted) bytes = image->format.bytes();
    std::array<u32, 4> coordinates{};
    for (u32 c = 0; c < count; ++c) coordinates[c] = planes[c * grid.lanes + lane];
    const SurfacePosition position = surfacePosition(*image, m, coordinates.data(), bytes);
    if (!position.inside && m.boundary == isa::SurfaceBoundary::trap)
      fault(site(grid, issue), lane, LaunchStatus::illegalAddress,
            "surface access at byte " + std::to_string(position.x) + ", row " + std::to_string(position.y) + ", slice " +
                std::to_string(position.slice) + " of a surface of " + std::to_string(u64{image->width} * image->format.bytes()) + " x " +
                std::to_string(image->height) + " x " + std::to_string(image->slices),
            "x counts bytes: multiply it by the size of an element");
    const auto plane = [&](u32 element, u32 word) -> u32& { return data[(element * words + word) * grid.lanes + lane]; };
    if (!position.inside) {
      for (u32 e = 0; loads && e < elements * words; ++e) data[e * grid.lanes + lane] = 0;
      continue;
    }
    const GlobalAddress address = image->address + static_cast<u64>(position.slice) * image->sliceBytes +
                                  static_cast<u64>(position.y) * image->rowBytes + static_cast<u64>(position.x);
    if (!m.formatted && address % bytes != 0)
      fault(site(grid, issue), lane, LaunchStatus::misalignedAddress,
            "surface access of " + std::to_string(bytes) + " bytes at byte " + std::to_string(position.x) + " of a row",
            "x must be a multiple of the size of the access");
    addresses.push_back(address);
    std::byte* at = GlobalMemory::hostPointer(address);
    if (m.formatted) {
      Texel texel{};
      for (u32 e = 0; e < elements; ++e) texel[e] = plane(e, 0);
      writeTexel(image->format, address, texel, elements);
      continue;
    }
    for (u32 e = 0; e < elements; ++e) {
      u64 value = loads ? 0 : plane(e, 0) | (words == 2 ? u64{plane(e, 1)} << 32 : 0);
      std::byte* const part = at + e * elementBytes;
      if (instruction.opcode == isa::Opcode::sured) {
        reduceAt(instruction, part, value);
      } else if (!loads) {
        std::memcpy(part, &value, elementBytes);
      } else {
        std::memcpy(&value, part, elementBytes);
        plane(e, 0) = static_cast<u32>(value);
        if (words == 2) plane(e, 1) = static_cast<u32>(value >> 32);
      }
    }
  }
  if (!loads) ++grid.progress.changes;
  raiseTexels(grid, issue, addresses, bytes, !loads);
}

}  // namespace warpwright::exec
