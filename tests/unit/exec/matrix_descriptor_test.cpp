// Descriptors of matrices in shared memory, and where every element lies: held against the manual's table of canonical layouts (PTX ISA,
// "Canonical Layouts"), which gives each as extents and strides of the two coordinates, in elements, and a permutation of the address.
#include "exec/matrix_descriptor.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <set>

namespace warpwright::exec {
namespace {

using Swizzle = MatrixDescriptor::Swizzle;

constexpr std::array kSwizzles{Swizzle::none, Swizzle::bytes32, Swizzle::bytes64, Swizzle::bytes128};

u64 encode(u64 value) { return (value & 0x3ffff) >> 4; }

u64 bitsOf(u64 start, u64 leading, u64 stride, Swizzle swizzle, u64 baseOffset = 0) {
  return encode(start) | encode(leading) << 16 | encode(stride) << 32 | baseOffset << 49 | u64{static_cast<u8>(swizzle)} << 62;
}

// Two extents, the third is open.
struct Mode {
  u64 first, second;
  std::array<u64, 3> strides;

  u64 operator()(u64 coordinate) const {
    return coordinate % first * strides[0] + coordinate / first % second * strides[1] + coordinate / first / second * strides[2];
  }
};

struct Layout {
  Mode line, depth;
};

// The rows of the table. T: elements of 16 bytes; distances in elements. An extent that the table leaves out is 1.
Layout canonical(bool alongK, Swizzle swizzle, u64 T, u64 leading, u64 stride) {
  const auto modes = [&](u64 width) -> Layout {
    if (!alongK) return {{T, width, {1, T, leading}}, {8, 1, {width * T, stride, stride}}};
    return {{8, 1, {width * T, stride, stride}}, {T, 1, {1, T, T}}};
  };
  switch (swizzle) {
    case Swizzle::none:
      if (!alongK) return {{T, 1, {1, stride, stride}}, {8, 1, {T, leading, leading}}};
      return {{8, 1, {T, stride, stride}}, {T, 1, {1, leading, leading}}};
    case Swizzle::bytes32:
      return modes(2);
    case Swizzle::bytes64:
      return modes(4);
    case Swizzle::bytes128:
      break;
  }
  return modes(8);
}

// Swizzle<bits, 4, 3> of CuTe, on bytes: so many bits from bit 7 on are added to those from bit 4 on, without carry.
u64 permuted(u64 address, Swizzle swizzle) {
  constexpr u32 kBits[] = {0, 3, 2, 1};
  const u64 mask = (u64{1} << kBits[static_cast<u8>(swizzle)]) - 1;
  return address ^ (address >> 7 & mask) << 4;
}

struct Distances {
  u64 start, leading, stride;  // bytes
};

TEST(MatrixDescriptor, HasTheFieldsOfTheManual) {
  const MatrixDescriptor descriptor(bitsOf(0x2c340, 0x800, 0x3fff0, Swizzle::bytes64, 5));
  EXPECT_EQ(descriptor.start, 0x2c340u);
  EXPECT_EQ(descriptor.leading, 0x800u);
  EXPECT_EQ(descriptor.stride, 0x3fff0u);
  EXPECT_EQ(descriptor.baseOffset, 5u);
  EXPECT_EQ(descriptor.swizzle, Swizzle::bytes64);
  EXPECT_TRUE(descriptor.isEncoded);
}

TEST(MatrixDescriptor, BitsWithoutAMeaningAreSeen) {
  for (u32 bit = 0; bit < 64; ++bit) {
    const bool means = bit < 14 || (bit >= 16 && bit < 30) || (bit >= 32 && bit < 46) || (bit >= 49 && bit < 52) || bit >= 62;
    EXPECT_EQ(MatrixDescriptor(u64{1} << bit).isEncoded, means) << bit;
  }
}

TEST(SharedMatrix, EveryElementLiesWhereTheCanonicalLayoutHasIt) {
  const Distances choices[] = {{0, 128, 256},  {1024, 2048, 1024},      {0x8000, 1024, 4096},
                               {3072, 0, 512}, {2048 + 32, 4096, 1024}, {96, 256, 2048}};
  for (const Distances& d : choices) {
    for (const Swizzle swizzle : kSwizzles) {
      for (const u32 bits : {1u, 8u, 16u, 32u}) {
        for (const bool alongK : {true, false}) {
          if (!alongK && bits == 1) continue;  // no instruction has it
          const SharedMatrix matrix(MatrixDescriptor(bitsOf(d.start, d.leading, d.stride, swizzle)), bits, alongK);
          const Layout layout = canonical(alongK, swizzle, 128 / bits, d.leading * 8 / bits, d.stride * 8 / bits);
          for (u32 line = 0; line < 256; ++line) {
            for (u32 k = 0; k < 256 / bits; ++k) {
              const u64 expected = permuted(d.start + (layout.line(line) + layout.depth(k)) * bits / 8, swizzle);
              ASSERT_EQ(matrix.byteOf(line, k), expected)
                  << fmt::format("line {}, k {}, {} bits, swizzle {}, along k {}", line, k, bits, static_cast<u32>(swizzle), alongK);
            }
          }
        }
      }
    }
  }
}

// The manual's examples ("Strides", in elements), element by element of the first rows and columns.
TEST(SharedMatrix, TheExamplesOfTheManual) {
  // K-major, no swizzling, tf32: ((8,2),(4,4)):((4,32),(1,64))
  const SharedMatrix plain(MatrixDescriptor(bitsOf(0, 64 * 4, 32 * 4, Swizzle::none)), 32, true);
  EXPECT_EQ(plain.byteOf(1, 0), 4 * 4u);
  EXPECT_EQ(plain.byteOf(8, 0), 32 * 4u);
  EXPECT_EQ(plain.byteOf(0, 4), 64 * 4u);
  // K-major, 32 bytes, tf32: ((8,2),(4,4)):((8,64),(1,4)); rows of 128 bytes change the order of the two chunks
  const SharedMatrix narrow(MatrixDescriptor(bitsOf(0, 16, 64 * 4, Swizzle::bytes32)), 32, true);
  EXPECT_EQ(narrow.byteOf(3, 0), 3 * 32u);
  EXPECT_EQ(narrow.byteOf(4, 0), 4 * 32u + 16);
  EXPECT_EQ(narrow.byteOf(4, 4), 4 * 32u);
  EXPECT_EQ(narrow.byteOf(8, 0), 64 * 4u);
  // MN-major, no swizzling, bf16: ((8,1,2),(8,2)):((1,8,64),(8,128))
  const SharedMatrix across(MatrixDescriptor(bitsOf(0, 128 * 2, 64 * 2, Swizzle::none)), 16, false);
  EXPECT_EQ(across.byteOf(1, 0), 2u);
  EXPECT_EQ(across.byteOf(8, 0), 64 * 2u);
  EXPECT_EQ(across.byteOf(0, 1), 8 * 2u);
  EXPECT_EQ(across.byteOf(0, 8), 128 * 2u);
  // MN-major, 64 bytes, bf16: ((8,4,2),(8,2)):((1,8,256),(32,512))
  const SharedMatrix wide(MatrixDescriptor(bitsOf(0, 256 * 2, 512 * 2, Swizzle::bytes64)), 16, false);
  EXPECT_EQ(wide.byteOf(8, 0), 8 * 2u);
  EXPECT_EQ(wide.byteOf(32, 0), 256 * 2u);
  EXPECT_EQ(wide.byteOf(0, 2), (2 * 32 * 2) ^ 16u);  // the second row of 128 bytes
  EXPECT_EQ(wide.byteOf(0, 8), 512 * 2u);
}

// A core matrix of 128 bytes and eight rows in the order that copies with the same swizzling leave it: chunk c of row r is chunk c ^ r.
TEST(SharedMatrix, EightRowsOf128BytesArePermutedByTheirNumbers) {
  const SharedMatrix matrix(MatrixDescriptor(bitsOf(0x1000, 0, 1024, Swizzle::bytes128)), 16, true);
  for (u32 row = 0; row < 8; ++row)
    for (u32 chunk = 0; chunk < 8; ++chunk) EXPECT_EQ(matrix.byteOf(row, 8 * chunk), 0x1000u + 128 * row + 16 * (chunk ^ row));
}

// Where the pattern begins off its boundary, the descriptor says so: (address >> 7) & 7.
TEST(SharedMatrix, TheBaseOffsetMovesThePattern) {
  for (const Swizzle swizzle : {Swizzle::bytes32, Swizzle::bytes64, Swizzle::bytes128}) {
    for (u32 base = 0; base < 8; ++base) {
      const SharedMatrix atBoundary(MatrixDescriptor(bitsOf(0, 0, 1024, swizzle)), 16, true);
      const SharedMatrix moved(MatrixDescriptor(bitsOf(u64{128} * base, 0, 1024, swizzle, base)), 16, true);
      for (u32 line = 0; line < 16; ++line)
        for (u32 k = 0; k < 16; ++k) EXPECT_EQ(moved.byteOf(line, k), atBoundary.byteOf(line, k) + u64{128} * base);
    }
  }
}

// No two elements share a byte where the distances leave room for all.
TEST(SharedMatrix, ElementsDoNotCollide) {
  for (const Swizzle swizzle : kSwizzles) {
    for (const bool alongK : {true, false}) {
      const u64 leading = alongK || swizzle == Swizzle::none ? 128 : 2048, stride = alongK || swizzle != Swizzle::none ? 1024 : 256;
      const SharedMatrix matrix(MatrixDescriptor(bitsOf(0, leading, stride, swizzle)), 16, alongK);
      std::set<u64> bytes;
      for (u32 line = 0; line < 64; ++line)
        for (u32 k = 0; k < 16; ++k) EXPECT_TRUE(bytes.insert(matrix.byteOf(line, k)).second) << line << " " << k;
    }
  }
}

}  // namespace
}  // namespace warpwright::exec
