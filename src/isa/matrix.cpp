#include "isa/matrix.hpp"

namespace warpwright::isa {

u32 bitsOf(MatrixElement element) {
  constexpr std::array<u8, 14> kBits{0, 16, 16, 32, 32, 64, 4, 4, 8, 8, 32, 1, 8, 8};
  return kBits[static_cast<u32>(element)];
}

MatrixElement elementOf(const Matrix& matrix, MatrixOperand operand) {
  switch (operand) {
    case MatrixOperand::a:
      return matrix.a;
    case MatrixOperand::b:
      return matrix.b;
    case MatrixOperand::c:
      return matrix.c;
    case MatrixOperand::d:
      break;
  }
  return matrix.d;
}

LinearFragment linearFragment(const Matrix& matrix, MatrixOperand operand) {
  const u32 perLane = matrix.words[static_cast<u32>(operand)] * 32u / bitsOf(elementOf(matrix, operand));
  if (operand == MatrixOperand::a) {
    return matrix.columnA ? LinearFragment{matrix.k, matrix.m, perLane} : LinearFragment{matrix.m, matrix.k, perLane};
  }
  if (operand == MatrixOperand::b) {
    return matrix.columnB ? LinearFragment{matrix.n, matrix.k, perLane} : LinearFragment{matrix.k, matrix.n, perLane};
  }
  return {matrix.m, matrix.n, perLane};
}

}  // namespace warpwright::isa
