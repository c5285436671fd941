// Matrices of wgmma in shared memory (PTX ISA, "Asynchronous Warpgroup Level Matrix Shared Memory Layout").
//
// A matrix is a number of lines, the rows of A or the columns of B, along k. Memory holds it in chunks of 16 bytes, and eight chunks side
// by side (across lines or along k) make what the manual calls a core matrix. It lies along k (K-major) where the elements of a chunk are
// neighbours in a line, and across lines (MN-major) where they are neighbours at one k.
#pragma once

#include "base/types.hpp"

namespace warpwright::exec {

struct MatrixDescriptor {
  enum class Swizzle : u8 { none, bytes128, bytes64, bytes32 };  // as bits 62 and 63 have it

  explicit MatrixDescriptor(u64 bits);
  // Chunks that the lines (or, across lines, the places along k) of a core matrix lie apart; within so many they are permuted.
  u32 chunksTogether() const;

  u32 start = 0, leading = 0, stride = 0;  // bytes: where it begins; leading and stride dimension byte offset
  u32 baseOffset = 0;                      // rows of 128 bytes between a multiple of 1024 bytes and where the permutation begins anew
  Swizzle swizzle = Swizzle::none;
  bool isEncoded = true;  // no bit is set that means nothing
};

class SharedMatrix {
 public:
  SharedMatrix(const MatrixDescriptor& descriptor, u32 elementBits, bool liesAlongK);

  bool liesAlongK() const { return alongK_; }
  // The offset in shared memory of the byte in which element k of the line begins.
  u64 byteOf(u32 line, u32 k) const;

 private:
  u64 offsetAlongK(u32 line, u32 k) const;
  u64 offsetAcross(u32 line, u32 k) const;
  u64 permuted(u64 address) const;

  MatrixDescriptor descriptor_;
  u32 elementBits_, perChunk_;
  u32 together_;  // MatrixDescriptor::chunksTogether()
  bool alongK_;
};

}  // namespace warpwright::exec
