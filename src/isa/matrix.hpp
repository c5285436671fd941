// What matrix instructions (mma.sync, wmma.mma, ldmatrix and its kin) say of their operands.
#pragma once

#include <array>
#include <compare>

#include "base/types.hpp"

namespace warpwright::isa {

enum class MatrixElement : u8 { none, f16, bf16, tf32, f32, f64, s4, u4, s8, u8, s32, b1, e4m3, e5m2 };

// The registers of one thread that hold its part of a matrix are a fragment: contiguous 32-bit registers, elements packed from the low
// bits up.
struct Matrix {
  u8 m = 0, n = 0;  // D (m x n) = A (m x k) * B (k x n) + C
  u16 k = 0;
  MatrixElement a = MatrixElement::none, b = MatrixElement::none, c = MatrixElement::none, d = MatrixElement::none;
  bool columnA = false, columnB = false;  // A, B are held by columns; otherwise by rows
  bool linear = false;                    // fragments of wmma (see exec/matrix_layout.hpp); otherwise those of mma.sync
  bool transposed = false;                // ldmatrix, stmatrix: .trans
  bool exclusive = false;                 // of b1: the product of two bits is their exclusive or; otherwise their conjunction
  std::array<u8, 4> words{};              // registers of a fragment: operand letters D, X, Y, Z

  auto operator<=>(const Matrix&) const = default;
};

u32 bitsOf(MatrixElement element);

enum class MatrixOperand : u8 { d, a, b, c };  // in the order of Matrix::words

// How the fragments of wmma lie in a warp. The matrix is a sequence of lines (its rows, or the columns of an A or B that is held by
// columns); element e of lane l is element (l * perLane + e) mod (lines * length) of that sequence. Fragments with more elements than the
// matrix has hold every element several times. All numbers are powers of two.
struct LinearFragment {
  u32 lines = 0, length = 0, perLane = 0;
};
LinearFragment linearFragment(const Matrix& matrix, MatrixOperand operand);
MatrixElement elementOf(const Matrix& matrix, MatrixOperand operand);

}  // namespace warpwright::isa
