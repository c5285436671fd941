// Affine vectors as hardware stores them: a base and the logarithm of a stride, with the encoding and decoding units of Collange and
// Kouyoumdjian, "Affine Vector Cache", sections 4.2 and 5.2.
#pragma once

#include "base/types.hpp"

namespace warpwright::values {

// d_i = base, or base + (i << log2Stride)
struct CompactForm {
  static constexpr u8 kUniform = 0xff;  // stride 0
  u32 base = 0;
  u8 log2Stride = kUniform;

  u32 at(u32 lane) const { return log2Stride == kUniform ? base : base + (lane << log2Stride); }
  bool operator==(const CompactForm&) const = default;
};

struct Encoding {
  enum class Outcome : u8 {
    encoded,
    generic,     // decoding gives another vector
    sparseMask,  // several lanes are active, but no pair 2i, 2i + 1 of them: the stride cannot be estimated
  };
  Outcome outcome = Outcome::generic;
  CompactForm form;  // of an encoded vector

  bool succeeded() const { return outcome == Outcome::encoded; }
};

// The encoding unit. It takes every vector that is affine with Strides::powersOfTwo (vector_class.hpp) and a stride that `strideBits` can
// tell, unless the mask is sparse.
class Encoder {
 public:
  // Bits that hold the logarithm of the stride; one of their values stands for stride 0. The paper has 3: strides 1, 2, … 64.
  explicit Encoder(u32 strideBits = 3) : maxLog2Stride_((1U << strideBits) - 2) {}

  // `lanes` reaches as far as the highest bit of `active`. No lane active: encodes as uniform zero.
  Encoding encode(const u32* lanes, LaneMask active) const;

 private:
  u32 maxLog2Stride_;
};

// The decoding unit: all lanes, inactive ones included.
void decode(const CompactForm& form, u32* lanes, u32 width);

}  // namespace warpwright::values
