#include "isa/tensor_map.hpp"

#include <fmt/format.h>

namespace warpwright::isa {
namespace {

constexpr u32 kAlignment = 16;  // of addresses, strides and the inner dimension of boxes
constexpr u64 kStrideLimit = u64{1} << 40;

using Interleave = TensorMap::Interleave;
using Swizzle = TensorMap::Swizzle;

std::string enumerationProblem(const TensorMap& map) {
  if (map.rank >= TensorMap::kMostDimensions)
    return fmt::format("its rank is {}, of at most {}", map.dimensions(), TensorMap::kMostDimensions);
  if (static_cast<u32>(map.element) >= TensorMap::kElements) return "its element type is none that a tensor may have";
  if (static_cast<u32>(map.interleave) >= TensorMap::kInterleaves) return "its interleave layout is none that there is";
  if (static_cast<u32>(map.swizzle) >= TensorMap::kSwizzles) return "its swizzle mode is none of compute capability 9.0";
  if (map.atomicity != 0) return "its swizzle atomicity is none of compute capability 9.0";
  if (static_cast<u32>(map.fill) >= TensorMap::kFills) return "its fill mode is none that there is";
  if (map.promotion >= TensorMap::kPromotions) return "its promotion in L2 is none that there is";
  return "";
}

std::string dimensionProblem(const TensorMap& map, u32 alignment) {
  for (u32 i = 0; i < map.dimensions(); ++i) {
    if (map.boxDim[i] == 0 || map.boxDim[i] > TensorMap::kMostBox)
      return fmt::format("its box has {} elements in dimension {}, not 1 to {}", map.boxDim[i], i, TensorMap::kMostBox);
    const bool isIgnored = i == 0 && map.interleave == Interleave::none;
    if (!isIgnored && (map.elementStride[i] == 0 || map.elementStride[i] > TensorMap::kMostElementStride))
      return fmt::format("its element stride in dimension {} is {}, not 1 to {}", i, map.elementStride[i], TensorMap::kMostElementStride);
  }
  for (u32 i = 0; i < map.rank; ++i) {
    if (map.globalStride[i] % alignment != 0 || map.globalStride[i] >= kStrideLimit)
      return fmt::format("its stride of dimension {} is {} bytes, no multiple of {} below 2^40", i + 1, map.globalStride[i], alignment);
  }
  return "";
}

std::string interleaveProblem(const TensorMap& map) {
  if (map.interleave == Interleave::none) {
    const u32 inner = map.boxDim[0] * sizeOf(map.element);
    if (inner % kAlignment != 0) return fmt::format("the inner dimension of its box has {} bytes, no multiple of {}", inner, kAlignment);
    const u32 span = spanOf(map.swizzle);
    if (span != 0 && inner > span) return fmt::format("the inner dimension of its box has {} bytes, and its swizzle spans {}", inner, span);
    return "";
  }
  if (map.dimensions() < 3) return fmt::format("it is interleaved and has {} dimensions, not 3 to 5", map.dimensions());
  if (map.interleave == Interleave::bytes32 && map.swizzle != Swizzle::bytes32) return "its interleave of 32 bytes needs a swizzle of 32";
  return "";
}

}  // namespace

u32 sizeOf(TensorMap::Element element) {
  constexpr u8 kBytes[TensorMap::kElements] = {1, 2, 4, 4, 8, 8, 2, 4, 4, 8, 2, 4, 4};
  return kBytes[static_cast<u32>(element)];
}

bool isFloat(TensorMap::Element element) { return element >= TensorMap::Element::f16; }

u32 spanOf(TensorMap::Swizzle swizzle) { return swizzle == Swizzle::none ? 0 : 16u << static_cast<u32>(swizzle); }

std::string problemOf(const TensorMap& map) {
  if (map.mark != TensorMap::kMark) return "it is none that cuTensorMapEncodeTiled made, or its bytes were overwritten";
  if (std::string problem = enumerationProblem(map); !problem.empty()) return problem;
  const u32 alignment = map.interleave == Interleave::bytes32 ? 2 * kAlignment : kAlignment;
  if (map.globalAddress % alignment != 0) return fmt::format("its address {:#x} is no multiple of {}", map.globalAddress, alignment);
  if (map.fill == TensorMap::Fill::nan && !isFloat(map.element)) return "it fills with NaN, and its elements are integers";
  if (std::string problem = dimensionProblem(map, alignment); !problem.empty()) return problem;
  return interleaveProblem(map);
}

}  // namespace warpwright::isa
