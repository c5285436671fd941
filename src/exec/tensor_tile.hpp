// The box of a tensor that a bulk copy moves (PTX ISA, "Tensors", tiled mode). In shared memory its elements lie densely, those of
// dimension 0 side by side, and then a swizzle permutes pieces of 16 bytes.
#pragma once

#include <span>
#include <vector>

#include "base/types.hpp"
#include "isa/tensor_map.hpp"

namespace warpwright::exec {

// Neighbouring bytes in global memory, and where the first of them lies among the bytes of a copy.
struct GlobalRun {
  GlobalAddress address;
  u32 bytes = 0;
  u32 at = 0;

  bool operator==(const GlobalRun&) const = default;
};

// Bytes of the box; what lies outside the tensor is a part of it.
u64 boxBytes(const isa::TensorMap& map);
// How far a row of the tensor reaches along dimension 0 for a copy. PTX leaves open what becomes of the rest of the last 16 bytes where a
// row does not fill them: the H100 fills it when it loads, and writes it with what the box has there
// (data/hardware/h100-3/tensor-edges.csv).
enum class RowEnd : u8 { element, piece };
inline constexpr u32 kPieceBytes = 16;
// What of the box at the coordinates lies in the tensor, in the order of its bytes. The box is smaller than 4 GiB.
void addRuns(const isa::TensorMap& map, std::span<const s32> coordinates, RowEnd rowEnd, std::vector<GlobalRun>& runs);
// What stands for elements outside the tensor, for all of the box.
void fillOutside(const isa::TensorMap& map, std::span<std::byte> box);
// What the copy makes of elements that it brings from global memory: 32-bit floats are rounded to tf32, and those that are too small become
// zero, where the type of the elements says so. PTX leaves the rounding open; chosen: to nearest, ties to even.
void convertElements(isa::TensorMap::Element element, std::span<std::byte> bytes);

// Where the byte at an offset in shared memory lies with a swizzle: bits 4 and up of the offset in a line of 128 bytes change with the
// number of the line. The pattern is that of addresses: it does not begin anew at a box.
constexpr u64 swizzled(isa::TensorMap::Swizzle swizzle, u64 offset) {
  const u64 bits = (u64{1} << static_cast<u32>(swizzle)) - 1;  // 0, 1, 3, 7: of the line's number
  return offset ^ (offset >> 7 & bits) << 4;
}

}  // namespace warpwright::exec
