#include "exec/matrix_layout.hpp"

namespace warpwright::exec {
namespace {

using isa::Matrix;
using isa::MatrixElement;
using isa::MatrixOperand;

struct Coordinates {
  u32 row = 0, column = 0, tile = 0;
};

Coordinates coordinatesInLines(const Matrix& matrix, MatrixOperand operand, u32 lane, u32 element) {
  const isa::LinearFragment shape = isa::linearFragment(matrix, operand);
  const u32 index = (lane * shape.perLane + element) % (shape.lines * shape.length);
  const u32 line = index / shape.length, position = index % shape.length;
  const bool byColumns = (operand == MatrixOperand::a && matrix.columnA) || (operand == MatrixOperand::b && matrix.columnB);
  return byColumns ? Coordinates{position, line, 0} : Coordinates{line, position, 0};
}

// m8n8k4 with f16: lanes 4t … 4t+3 and 16+4t … 16+4t+3 hold tile t.
Coordinates coordinatesInTile(const Matrix& matrix, MatrixOperand operand, u32 lane, u32 element) {
  const u32 inGroup = lane % 4, half = lane < 16 ? 0 : 4, tile = lane % 16 / 4;
  if (operand == MatrixOperand::a)
    return matrix.columnA ? Coordinates{element + half, inGroup, tile} : Coordinates{inGroup + half, element, tile};
  if (operand == MatrixOperand::b)
    return matrix.columnB ? Coordinates{element, inGroup + half, tile} : Coordinates{inGroup, element + half, tile};
  if (isa::elementOf(matrix, operand) == MatrixElement::f16) return {inGroup + half, element, tile};
  return {(lane & 1) + (element & 2) + half, (element & 4) + (lane & 2) + (element & 1), tile};
}

// All other shapes of mma: the lane's group of four has a row of A (or a column of B), the lane in it some neighbouring elements. A
// register holds as many elements as fit; registers of A alternate between the upper and the lower eight rows.
Coordinates coordinatesInGroups(const Matrix& matrix, MatrixOperand operand, u32 lane, u32 element) {
  const u32 group = lane / 4, inGroup = lane % 4;
  if (operand == MatrixOperand::c || operand == MatrixOperand::d) return {group + 8 * (element / 2), 2 * inGroup + element % 2, 0};
  const u32 bits = isa::bitsOf(isa::elementOf(matrix, operand));
  const u32 packed = bits >= 32 ? 1 : 32 / bits;
  const u32 reg = element / packed, along = inGroup * packed + element % packed;
  if (operand == MatrixOperand::b) return {reg * 4 * packed + along, group, 0};
  if (matrix.m == 8) return {group, reg * 4 * packed + along, 0};
  return {group + 8 * (reg % 2), reg / 2 * 4 * packed + along, 0};
}

}  // namespace

isa::Matrix tileOf(const isa::Matrix& group) {
  constexpr u16 kColumns = 8;
  isa::Matrix tile;
  tile.m = group.m, tile.n = kColumns, tile.k = group.k;
  tile.a = group.a, tile.b = group.b, tile.c = tile.d = group.d;
  const u8 sums = static_cast<u8>(group.words[0] / (group.n / kColumns));
  tile.words = {sums, 4, 2, sums};
  return tile;
}

u32 tilesOf(const Matrix& matrix) { return !matrix.linear && matrix.m == 8 && matrix.k == 4 && matrix.a == MatrixElement::f16 ? 4 : 1; }

FragmentMap fragmentMap(const Matrix& matrix, MatrixOperand operand) {
  FragmentMap map;
  map.bits = isa::bitsOf(isa::elementOf(matrix, operand));
  map.perLane = matrix.words[static_cast<u32>(operand)] * 32u / map.bits;
  map.rows = operand == MatrixOperand::b ? matrix.k : matrix.m;
  map.columns = operand == MatrixOperand::a ? matrix.k : matrix.n;
  const auto coordinatesOf = matrix.linear ? coordinatesInLines : tilesOf(matrix) > 1 ? coordinatesInTile : coordinatesInGroups;
  for (u32 lane = 0; lane < kMatrixLanes; ++lane) {
    for (u32 element = 0; element < map.perLane; ++element) {
      const Coordinates at = coordinatesOf(matrix, operand, lane, element);
      map.index.push_back(static_cast<u16>((at.tile * map.rows + at.row) * map.columns + at.column));
    }
  }
  return map;
}

}  // namespace warpwright::exec
