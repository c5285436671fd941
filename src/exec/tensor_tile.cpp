#include "exec/tensor_tile.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

namespace warpwright::exec {
namespace {

using isa::TensorMap;
using Element = TensorMap::Element;

// A row of the box: elements that differ in dimension 0 alone.
void addRow(const TensorMap& map, s64 first, RowEnd rowEnd, u64 address, u32 at, std::vector<GlobalRun>& runs) {
  const u32 bytes = isa::sizeOf(map.element), inPiece = kPieceBytes / bytes;
  const u64 size = map.size(0), reach = rowEnd == RowEnd::element ? size : (size + inPiece - 1) / inPiece * inPiece;
  const s64 begin = std::max<s64>(first, 0), end = std::min(first + map.boxDim[0], static_cast<s64>(reach));
  if (begin >= end || begin >= static_cast<s64>(size)) return;
  runs.push_back({GlobalAddress(address + static_cast<u64>(begin) * bytes), static_cast<u32>(end - begin) * bytes,
                  at + static_cast<u32>(begin - first) * bytes});
}

// The next of the rows, in the order of the box's bytes. False: there is none.
bool goOn(const TensorMap& map, std::array<u32, TensorMap::kMostDimensions>& row) {
  for (u32 i = 1; i < map.dimensions(); ++i) {
    if (++row[i] < map.moved(i)) return true;
    row[i] = 0;
  }
  return false;
}

float withoutSubnormals(float value) { return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0f, value) : value; }

float roundedToTf32(float value) {
  constexpr u32 kDropped = 13;  // bits of the fraction
  if (!std::isfinite(value)) return value;
  const u32 bits = std::bit_cast<u32>(value), half = (1u << (kDropped - 1)) - 1, odd = bits >> kDropped & 1;
  return std::bit_cast<float>((bits + half + odd) & ~((1u << kDropped) - 1));
}

}  // namespace

u64 boxBytes(const TensorMap& map) {
  u64 bytes = isa::sizeOf(map.element);
  for (u32 i = 0; i < map.dimensions(); ++i) bytes *= map.moved(i);
  return bytes;
}

void addRuns(const TensorMap& map, std::span<const s32> coordinates, RowEnd rowEnd, std::vector<GlobalRun>& runs) {
  const u32 rowBytes = map.boxDim[0] * isa::sizeOf(map.element);
  std::array<u32, TensorMap::kMostDimensions> row{};
  u32 at = 0;
  do {
    bool isInside = true;
    u64 address = map.globalAddress;
    for (u32 i = 1; i < map.dimensions(); ++i) {
      const s64 index = s64{coordinates[i]} + s64{row[i]} * map.elementStride[i];
      isInside &= index >= 0 && index < static_cast<s64>(map.size(i));
      address += static_cast<u64>(index) * map.globalStride[i - 1];
    }
    if (isInside) addRow(map, coordinates[0], rowEnd, address, at, runs);
    at += rowBytes;
  } while (goOn(map, row));
}

// CUDA names a NaN of its own without its bits. Chosen: all bits but the sign.
void fillOutside(const TensorMap& map, std::span<std::byte> box) {
  if (map.fill == TensorMap::Fill::zeros) {
    std::ranges::fill(box, std::byte{0});
    return;
  }
  const u32 bytes = isa::sizeOf(map.element);
  for (std::size_t i = 0; i < box.size(); ++i) box[i] = i % bytes == bytes - 1 ? std::byte{0x7f} : std::byte{0xff};
}

void convertElements(Element element, std::span<std::byte> bytes) {
  const bool flushes = element == Element::f32_ftz || element == Element::tf32_ftz;
  const bool rounds = element == Element::tf32 || element == Element::tf32_ftz;
  if (!flushes && !rounds) return;
  for (std::size_t i = 0; i + sizeof(float) <= bytes.size(); i += sizeof(float)) {
    float value = 0;
    std::memcpy(&value, &bytes[i], sizeof value);
    if (flushes) value = withoutSubnormals(value);
    if (rounds) value = roundedToTf32(value);
    std::memcpy(&bytes[i], &value, sizeof value);
  }
}

}  // namespace warpwright::exec
