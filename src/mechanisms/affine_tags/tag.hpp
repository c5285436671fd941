// What the tagged register file says of a register (Collange, Defour and Zhang, "Dynamic detection of uniform and affine vectors in GPGPU
// computations", section 5): two bits, each for the register as a whole and for its 16-bit halves (section 6).
//
// A tag is a promise about the lanes that have a thread: `uniform`, that they hold one value; `affine`, that they hold base + lane * stride
// with a stride of 0 or a power of two, modulo 2^32 (2^16 for halves). `generic` promises nothing.
#pragma once

#include "values/tag_rules.hpp"

namespace warpwright::mechanisms::affine_tags {

using values::Tag;

// Where what could be known of a register was lost first.
enum class Loss : u8 {
  partialWrite,    // some lanes kept their values
  multiplication,  // affine times uniform, and other products
  division,        // and remainders, roots, transcendental functions
  load,            // memory, atomics, textures
  logic,           // shifts to the right, bit operations, minimum, sign
  conversion,      // between integers and floating-point numbers, and their sums
  overflow,        // an affine value does not fit its type
  other,           // sums of affine values, operations among lanes, threads of several rows in a warp, what was never written
};
inline constexpr u32 kLosses = 8;

// Lanes that suffice of `lanes`: one of a uniform vector, base and stride of an affine one.
constexpr u64 lanesOf(Tag tag, u64 lanes) {
  const u64 needed = tag == Tag::uniform ? 1 : tag == Tag::affine ? 2 : lanes;
  return needed < lanes ? needed : lanes;
}

struct RegisterTag {
  Tag whole = Tag::generic, low = Tag::generic, high = Tag::generic;
  Loss loss = Loss::other;  // meaningless unless `whole` is generic

  static constexpr RegisterTag uniform() { return {Tag::uniform, Tag::uniform, Tag::uniform}; }
  static constexpr RegisterTag generic(Loss loss) { return {Tag::generic, Tag::generic, Tag::generic, loss}; }
};

// Does the register keep what the tag promises? `lanes` has a word for each lane; those of `existing` count.
bool holds(const RegisterTag& tag, const u32* lanes, LaneMask existing);

// What the stride's and the base's arithmetic tells hardware of an affine result: no carry left the low half (word) between two lanes, so
// that the high half (word) is the same in all of them; no lane overflowed its type, so that the extended register is affine.
bool isUniform(const u32* lanes, LaneMask existing);
bool isAffine(const u32* lanes, LaneMask existing);

}  // namespace warpwright::mechanisms::affine_tags
