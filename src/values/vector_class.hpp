// What the lanes of a vector (a register, or a word of private memory of a whole warp) have in common. The only definition of these
// classes; whatever exploits or counts them asks here.
//
// With the active lanes A of a vector d (Collange and Kouyoumdjian, "Affine Vector Cache", section 2.3):
//   uniform   d_i = c           for all i in A
//   affine    d_i = b + i * s   for all i in A; uniform is the case s = 0
//   generic   otherwise
// Inactive lanes are ignored. Numbers are words modulo 2^bits, so a stride of -4 is one of 2^32 - 4. A vector with one active lane is
// uniform, one without is zero.
#pragma once

#include <array>
#include <concepts>
#include <optional>
#include <string_view>

#include "base/types.hpp"

namespace warpwright::values {

// Each vector has one class, the first that fits: `uniform` means non-zero uniform, `affine` non-uniform affine.
enum class VectorClass : u8 { zero, uniform, affine, generic };
inline constexpr u32 kVectorClasses = 4;

constexpr std::string_view name(VectorClass c) {
  constexpr std::string_view kNames[kVectorClasses] = {"zero", "uniform", "affine", "generic"};
  return kNames[static_cast<u32>(c)];
}

constexpr bool isUniform(VectorClass c) { return c <= VectorClass::uniform; }
constexpr bool isAffine(VectorClass c) { return c <= VectorClass::affine; }  // uniform ones included

// Vectors by class, indexed by VectorClass.
using ClassCounts = std::array<u64, kVectorClasses>;

enum class Strides : u8 {
  any,
  powersOfTwo,  // and 0; the base is a multiple of the stride: d_i = (beta + i) * 2^sigma
};

// d_i = base + i * stride
template <std::unsigned_integral Word>
struct AffineForm {
  Word base = 0, stride = 0;
  Word at(u32 lane) const { return static_cast<Word>(base + lane * stride); }
  bool operator==(const AffineForm&) const = default;
};

// The form of an affine vector, none of a generic one. `lanes` reaches as far as the highest bit of `active`. Where inactive lanes leave
// several strides possible, the one closest to 0 is given, and with Strides::powersOfTwo the power of two.
template <std::unsigned_integral Word>
std::optional<AffineForm<Word>> affineForm(const Word* lanes, LaneMask active, Strides strides = Strides::any);

template <std::unsigned_integral Word>
VectorClass classOf(const Word* lanes, LaneMask active, Strides strides = Strides::any);

// Calls visit(part, lanes, active) for each part of `partLanes` neighbouring lanes that has active lanes: warps seen as sub-vectors
// (section 3.2 of the same paper). Lane 0 of a part is its own first lane.
template <std::unsigned_integral Word, class Visit>
void forEachPart(const Word* lanes, LaneMask active, u32 width, u32 partLanes, Visit visit) {
  for (u32 first = 0; first < width; first += partLanes) {
    const LaneMask part = active.lowered(first) & LaneMask::first(partLanes);
    if (part) visit(first / partLanes, lanes + first, part);
  }
}

extern template std::optional<AffineForm<u8>> affineForm(const u8*, LaneMask, Strides);
extern template std::optional<AffineForm<u16>> affineForm(const u16*, LaneMask, Strides);
extern template std::optional<AffineForm<u32>> affineForm(const u32*, LaneMask, Strides);
extern template std::optional<AffineForm<u64>> affineForm(const u64*, LaneMask, Strides);
extern template VectorClass classOf(const u8*, LaneMask, Strides);
extern template VectorClass classOf(const u16*, LaneMask, Strides);
extern template VectorClass classOf(const u32*, LaneMask, Strides);
extern template VectorClass classOf(const u64*, LaneMask, Strides);

}  // namespace warpwright::values
