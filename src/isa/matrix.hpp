// What matrix instructions (mma.sync, wmma.mma, wgmma.mma_async, ldmatrix and its kin) say of their operands.
#pragma once

#include <array>
#include <compare>

#include "base/types.hpp"

namespace warpwright::isa {

enum class MatrixElement : u8 { none, f16, bf16, tf32, f32, f64, s4, u4, s8, u8, s32, b1, e4m3, e5m2 };

// The registers of one thread that hold its part of a matrix are a fragment: contiguous 32-bit registers, elements packed from the low
// bits up.
struct Matrix {
  u8 m = 0;  // D (m x n) = A (m x k) * B (k x n) + C; of a warp group's, what one warp does
  u16 n = 0, k = 0;
  MatrixElement a = MatrixElement::none, b = MatrixElement::none, c = MatrixElement::none, d = MatrixElement::none;
  bool columnA = false, columnB = false;  // A, B are held by columns; otherwise by rows
  bool linear = false;                    // fragments of wmma (see exec/matrix_layout.hpp); otherwise those of mma.sync
  bool transposed = false;                // ldmatrix, stmatrix: .trans
  bool exclusive = false;                 // of b1: the product of two bits is their exclusive or; otherwise their conjunction
  bool negated = false;                   // wgmma: - A * B
  bool sharedA = false;                   // wgmma: A lies in shared memory, as B does; otherwise in registers
  std::array<u8, 4> words{};              // registers of a fragment: operand letters D, X, Y, Z

  auto operator<=>(const Matrix&) const = default;
};

u32 bitsOf(MatrixElement element);

enum class MatrixOperand : u8 { d, a, b, c };  // in the order of Matrix::words

// A warp group is as many neighbouring warps, the first of which has a multiple of it for its number in the block.
inline constexpr u32 kWarpsOfGroup = 4;
// A row of A, and a column of B, has 256 bits in every shape of wgmma.
inline constexpr u32 kGroupLineBytes = 32;
// The descriptor of a matrix in shared memory is a register pair.
inline constexpr u8 kDescriptorWords = 2;

// How the fragments of wmma lie in a warp. The matrix is a sequence of lines (its rows, or the columns of an A or B that is held by
// columns); element e of lane l is element (l * perLane + e) mod (lines * length) of that sequence. Fragments with more elements than the
// matrix has hold every element several times. All numbers are powers of two.
struct LinearFragment {
  u32 lines = 0, length = 0, perLane = 0;
};
LinearFragment linearFragment(const Matrix& matrix, MatrixOperand operand);
MatrixElement elementOf(const Matrix& matrix, MatrixOperand operand);

}  // namespace warpwright::isa
