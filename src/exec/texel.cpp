// Texel formats in memory.
#include <bit>
#include <cmath>
#include <cstring>

#include "exec/memory.hpp"
#include "exec/sampling.hpp"

namespace warpwright::exec {
namespace {

u32 component(const std::byte* from, u32 bits, ChannelKind kind) {
  u32 raw = 0;
  std::memcpy(&raw, from, bits / 8);  // little-endian host
  if (kind == ChannelKind::floating) return bits == 16 ? std::bit_cast<u32>(floatOfHalf(static_cast<u16>(raw))) : raw;
  if (kind == ChannelKind::unsignedInteger || bits == 32) return raw;
  const u32 shift = 32 - bits;
  return static_cast<u32>(static_cast<s32>(raw << shift) >> shift);
}

}  // namespace

float floatOfHalf(u16 bits) {
  const u32 sign = u32{bits} >> 15 << 31;
  const u32 exponent = bits >> 10 & 0x1f, fraction = bits & 0x3ff;
  if (exponent == 0x1f) return std::bit_cast<float>(sign | 0x7f80'0000 | fraction << 13);
  // Subnormals are multiples of 2^-24, which a float holds exactly.
  if (exponent == 0) return std::copysign(static_cast<float>(fraction) * 0x1p-24f, sign ? -1.0f : 1.0f);
  return std::bit_cast<float>(sign | (exponent + 112) << 23 | fraction << 13);
}

u16 halfOfFloat(float value) {
  const u32 bits = std::bit_cast<u32>(value), sign = bits >> 16 & 0x8000;
  const float magnitude = std::fabs(value);
  if (std::isnan(value)) return 0x7fff;
  constexpr float kTooLarge = 65520.0f;  // half way from the largest half to the next power of two
  if (magnitude >= kTooLarge) return static_cast<u16>(sign | 0x7c00);
  constexpr float kSmallestNormal = 0x1p-14f;
  // The host rounds to nearest even, so a scaled integer conversion does as well.
  if (magnitude < kSmallestNormal) return static_cast<u16>(sign | static_cast<u32>(std::nearbyint(magnitude * 0x1p24f)));
  const u32 positive = std::bit_cast<u32>(magnitude);
  const u32 rounded = positive + 0xfff + (positive >> 13 & 1);
  return static_cast<u16>(sign | ((rounded >> 13) - (112u << 10)));
}

Texel readTexel(const TexelFormat& format, GlobalAddress address) {
  const std::byte* from = GlobalMemory::hostPointer(address);
  Texel texel{0, 0, 0, format.kind == ChannelKind::floating ? std::bit_cast<u32>(1.0f) : 1};
  for (u32 i = 0; i < format.components; ++i) texel[i] = component(from + i * (format.bits / 8), format.bits, format.kind);
  return texel;
}

void writeTexel(const TexelFormat& format, GlobalAddress address, const Texel& texel, u32 components) {
  std::byte* to = GlobalMemory::hostPointer(address);
  const u32 bytes = format.bits / 8;
  for (u32 i = 0; i < format.components; ++i) {
    u32 value = i < components ? texel[i] : 0;
    if (format.kind == ChannelKind::floating && format.bits == 16) value = halfOfFloat(std::bit_cast<float>(value));
    std::memcpy(to + i * bytes, &value, bytes);
  }
}

}  // namespace warpwright::exec
