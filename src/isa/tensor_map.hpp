// The tensor map (PTX ISA, "Tensors"; CUDA driver API, "Tensor Map Object Management"): 128 bytes that describe a tensor in global memory,
// and the box of it that one copy moves. CUDA leaves their layout open; ours is that of this structure, so that tensormap.replace is a
// store to one of its members. Enumerators have the numbers that tensormap.replace gives them.
#pragma once

#include <array>
#include <cstddef>
#include <string>

#include "base/types.hpp"

namespace warpwright::isa {

struct TensorMap {
  enum class Element : u8 { u8, u16, u32, s32, u64, s64, f16, f32, f32_ftz, f64, bf16, tf32, tf32_ftz };
  enum class Interleave : u8 { none, bytes16, bytes32 };
  enum class Swizzle : u8 { none, bytes32, bytes64, bytes128 };
  enum class Fill : u8 { zeros, nan };
  static constexpr u32 kElements = 13, kInterleaves = 3, kSwizzles = 4, kFills = 2, kPromotions = 4;
  static constexpr u32 kMostDimensions = 5, kMostBox = 256, kMostElementStride = 8;
  static constexpr u32 kMark = 0x5054'4d57;  // of a map that was made, and not damaged since

  u64 globalAddress = 0;
  u32 mark = kMark;
  u8 rank = 0;  // dimensions less one
  Element element{};
  Interleave interleave{};
  Swizzle swizzle{};
  u8 atomicity = 0;  // of the swizzle: 16 bytes, the only one before compute capability 10.0
  Fill fill{};
  u8 promotion = 0;  // bytes that L2 fetches: no more than was asked for, 64, 128, 256
  u8 unused = 0;
  std::array<u32, kMostDimensions> globalDim{};         // elements, dimension 0 is the one whose elements lie side by side; 0: 2^32
  std::array<u32, kMostDimensions> boxDim{};            // elements that are passed over
  std::array<u32, kMostDimensions> elementStride{};     // of them, every so manyth is moved; dimension 0 moves all
  std::array<u64, kMostDimensions - 1> globalStride{};  // bytes, of the dimensions from 1 on
  std::array<u64, 2> reserved{};

  u32 dimensions() const { return u32{rank} + 1; }
  u64 size(u32 dimension) const { return globalDim[dimension] == 0 ? u64{1} << 32 : globalDim[dimension]; }
  // Elements of the box along a dimension.
  u32 moved(u32 dimension) const {
    return dimension == 0 ? boxDim[0] : (boxDim[dimension] + elementStride[dimension] - 1) / elementStride[dimension];
  }
};
inline constexpr u32 kTensorMapBytes = 128;
static_assert(sizeof(TensorMap) == kTensorMapBytes);
inline constexpr u32 kTensorMapAlignment = 64;

u32 sizeOf(TensorMap::Element element);
bool isFloat(TensorMap::Element element);
// Bytes of shared memory that a pattern permutes among themselves 16 by 16 in each line of 128; 0: none.
u32 spanOf(TensorMap::Swizzle swizzle);

// Why no copy can be made with the map; empty: it can.
std::string problemOf(const TensorMap& map);

}  // namespace warpwright::isa
