// What a tag says of a vector, and the rules by which tags of operands give that of a result, as tables over tags (Collange, Defour and
// Zhang, "Dynamic detection of uniform and affine vectors in GPGPU computations", section 5, Table 1). The paper gives those of addition,
// multiplication and shift to the left; those of the other rules follow the same reasoning. Which instruction follows which rule stands in
// the instruction table (isa/table.def, column `across`).
#pragma once

#include <algorithm>

#include "base/types.hpp"

namespace warpwright::values {

// Strides of affine vectors are 0 or powers of two.
enum class Tag : u8 { generic, affine, uniform };

// What is known when either may be the value.
constexpr Tag either(Tag a, Tag b) { return std::min(a, b); }

// Uniform operands give a uniform result; nothing else is known.
constexpr Tag lanewise(Tag a, Tag b) { return a == Tag::uniform && b == Tag::uniform ? Tag::uniform : Tag::generic; }

// x : a multiple of a stride may be no power of two.
constexpr Tag product(Tag a, Tag b) { return lanewise(a, b); }

// + : the strides of two affine operands would have to be added, which may give no power of two.
constexpr Tag sum(Tag a, Tag b) {
  if (a == Tag::uniform) return b;
  return b == Tag::uniform ? a : Tag::generic;
}

// - : the stride of an affine subtrahend would become negative.
constexpr Tag difference(Tag a, Tag b) { return b == Tag::uniform ? a : Tag::generic; }

// << : a stride stays a power of two, or becomes 0.
constexpr Tag shiftLeft(Tag value, Tag amount) { return amount == Tag::uniform ? value : Tag::generic; }

}  // namespace warpwright::values
