// What the modifiers of matrix instructions, mbarrier, cp.async and wgmma say (PTX ISA, "Warp Level Matrix Instructions", "mbarrier",
// "Asynchronous copy").
#pragma once

#include "base/types.hpp"

namespace warpwright::ptx {

// In the order of isa::MatrixElement.
enum class MatrixElement : u8 { none, f16, bf16, tf32, f32, f64, s4, u4, s8, u8, s32, b1, e4m3, e5m2 };
enum class MatrixPart : u8 { none, a, b, c, d, multiply };  // wmma.load.a … wmma.store.d, wmma.mma

struct MatrixForm {
  u8 m = 0;
  u16 n = 0, k = 0;
  MatrixElement a = MatrixElement::none, b = MatrixElement::none, c = MatrixElement::none, d = MatrixElement::none;
  bool columnA = false, columnB = false;  // .col; wmma.load and wmma.store have one layout, in columnA
  MatrixPart part = MatrixPart::none;
  u8 count = 0;  // ldmatrix, stmatrix: .x1, .x2, .x4
  bool transposed = false;
};

enum class MbarrierOp : u8 { none, init, inval, arrive, arriveDrop, expectTx, completeTx, testWait, tryWait, pendingCount };
enum class AsyncOp : u8 { copy, commit, waitGroup, waitAll, mbarrierArrive, fence, multiply };  // the last two: of wgmma

}  // namespace warpwright::ptx
