// Which element of a matrix each lane's fragment holds where (PTX ISA, "Matrix Fragments for mma"; for wmma, whose layout PTX leaves open,
// isa::LinearFragment).
#pragma once

#include <vector>

#include "base/types.hpp"
#include "isa/matrix.hpp"

namespace warpwright::exec {

inline constexpr u32 kMatrixLanes = 32;

struct FragmentMap {
  u32 perLane = 0;  // elements
  u32 bits = 0;     // of an element
  u32 rows = 0, columns = 0;
  std::vector<u16> index;  // by lane * perLane + element: (tile * rows + row) * columns + column
};

// What a warp does of a group's product for eight neighbouring columns: its fragments are those of a product of its own. Registers of D lie
// in the order of the columns.
isa::Matrix tileOf(const isa::Matrix& group);

// m8n8k4 with f16 multiplies four independent pairs of matrices, one for each group of eight lanes; everything else one.
u32 tilesOf(const isa::Matrix& matrix);
FragmentMap fragmentMap(const isa::Matrix& matrix, isa::MatrixOperand operand);

}  // namespace warpwright::exec
