#include "exec/matrix_descriptor.hpp"

namespace warpwright::exec {
namespace {

constexpr u32 kChunkBytes = 16, kChunkBits = 8 * kChunkBytes;
constexpr u32 kCoreChunks = 8;  // of a core matrix

// Addresses and distances are multiples of 16 below 2^18.
u32 decoded(u64 bits, u32 position) { return static_cast<u32>(bits >> position & 0x3fff) * kChunkBytes; }

constexpr u64 kKnownBits = u64{0x3fff} | u64{0x3fff} << 16 | u64{0x3fff} << 32 | u64{7} << 49 | u64{3} << 62;

}  // namespace

MatrixDescriptor::MatrixDescriptor(u64 bits)
    : start(decoded(bits, 0)),
      leading(decoded(bits, 16)),
      stride(decoded(bits, 32)),
      baseOffset(static_cast<u32>(bits >> 49 & 7)),
      swizzle(static_cast<Swizzle>(bits >> 62)),
      isEncoded((bits & ~kKnownBits) == 0) {}

u32 MatrixDescriptor::chunksTogether() const {
  constexpr u8 kChunks[] = {1, 8, 4, 2};
  return kChunks[static_cast<u8>(swizzle)];
}

SharedMatrix::SharedMatrix(const MatrixDescriptor& descriptor, u32 elementBits, bool liesAlongK)
    : descriptor_(descriptor),
      elementBits_(elementBits),
      perChunk_(kChunkBits / elementBits),
      together_(descriptor.chunksTogether()),
      alongK_(liesAlongK) {}

u64 SharedMatrix::byteOf(u32 line, u32 k) const {
  return permuted(descriptor_.start + (alongK_ ? offsetAlongK(line, k) : offsetAcross(line, k)));
}

// Eight lines, then the next eight. The chunks of a line are neighbours where they are permuted.
u64 SharedMatrix::offsetAlongK(u32 line, u32 k) const {
  const u32 chunk = k / perChunk_;
  const u64 along = u64{chunk} * (together_ == 1 ? descriptor_.leading : kChunkBytes);
  const u64 across = u64{line % kCoreChunks} * together_ * kChunkBytes + u64{line / kCoreChunks} * descriptor_.stride;
  return across + along + k % perChunk_ * elementBits_ / 8;
}

// Eight places along k, then the next eight. Without a permutation the two distances change their parts: that from eight places to the next
// is the leading one, and that from chunk to chunk across lines the stride.
u64 SharedMatrix::offsetAcross(u32 line, u32 k) const {
  const bool isPlain = together_ == 1;
  const u32 chunk = line / perChunk_;
  const u64 across = u64{chunk % together_} * kChunkBytes + u64{chunk / together_} * (isPlain ? descriptor_.stride : descriptor_.leading);
  const u64 along =
      u64{k % kCoreChunks} * together_ * kChunkBytes + u64{k / kCoreChunks} * (isPlain ? descriptor_.leading : descriptor_.stride);
  return across + along + line % perChunk_ * elementBits_ / 8;
}

// The number of the chunk in its row of 128 bytes (or in its half or quarter of one) is changed by the number of the row. Both are those of
// the address in shared memory, not of the place in the matrix, so that a matrix may begin within the pattern.
u64 SharedMatrix::permuted(u64 address) const {
  constexpr u32 kChunkPosition = 4, kRowPosition = 7;  // in an address
  const u64 row = (address >> kRowPosition) - descriptor_.baseOffset;
  return address ^ (row & (together_ - 1)) << kChunkPosition;
}

}  // namespace warpwright::exec
