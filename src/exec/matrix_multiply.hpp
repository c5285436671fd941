// D = A * B + C for one warp's fragments.
//
// PTX leaves the rounding inside a floating-point matrix multiplication open. Here every element of D is
//   f16, bf16, tf32, fp8      C, then the products for k = 0, 1, … added one after the other; a product is exact, every sum is formed in
//                             f64 and rounded to the nearest f32. An f16 result is rounded once, at the end.
//   f64                       one fused multiply-add for each k, rounded as the instruction says
//   integers                  exact, modulo 2^32; with saturation the exact sum clamped to the range of s32
//   bits                      the number of pairs that are both set, or that differ
// The order makes results repeatable on every host. tf32 factors lose the 13 low bits of their registers; NaNs are canonical.
#pragma once

#include "exec/matrix_layout.hpp"
#include "isa/instruction.hpp"

namespace warpwright::exec {

struct MatrixPlan {
  explicit MatrixPlan(const isa::Matrix& matrix);

  isa::Matrix matrix;
  u32 tiles;
  FragmentMap d, a, b, c;
};

// Registers lie `stride` words apart, one word for each of 32 lanes. The destination may overlap the sources.
struct MatrixRegisters {
  u32* d = nullptr;
  const u32 *a = nullptr, *b = nullptr, *c = nullptr;
  u32 stride = 32;
};
void multiply(const MatrixPlan& plan, const MatrixRegisters& registers, const isa::Modifiers& modifiers);

}  // namespace warpwright::exec
