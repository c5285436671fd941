#include "values/vector_class.hpp"

#include <bit>
#include <limits>

namespace warpwright::values {

namespace {

// Lanes whose number is an odd multiple of 2^index.
constexpr LaneMask kOddMultiples[] = {LaneMask(0xaaaaaaaaaaaaaaaa), LaneMask(0x4444444444444444), LaneMask(0x1010101010101010),
                                      LaneMask(0x0100010001000100), LaneMask(0x0001000000010000), LaneMask(0x0000000100000000)};

struct Pair {
  u32 first, second;
  u32 factorsOfTwo;  // of their distance
};

// Of the pairs of the first active lane with another one that whose distance has the fewest factors of two: it says most about the stride.
Pair mostTellingPair(LaneMask active) {
  const u32 first = active.least();
  for (u32 factors = 0;; ++factors) {
    const LaneMask candidates = active & kOddMultiples[factors].raised(first);
    if (candidates) return {first, candidates.least(), factors};
  }
}

// 1 / odd modulo 2^64: each of Newton's steps doubles the number of right bits, from the five of (3 * odd) ^ 2.
u64 inverse(u64 odd) {
  u64 x = 3 * odd ^ 2;
  for (u32 step = 0; step < 4; ++step) x *= 2 - odd * x;
  return x;
}

// With lanes `distance` apart that differ by `difference`: the stride, which factors of two in the distance leave undecided in as many of
// its highest bits. They are chosen as affineForm() promises.
template <class Word>
std::optional<Word> strideFrom(Word difference, const Pair& pair, Strides strides) {
  constexpr u32 kBits = std::numeric_limits<Word>::digits;
  const u32 factors = pair.factorsOfTwo;
  if ((difference & lowBits(factors)) != 0) return std::nullopt;
  const u64 odd = (pair.second - pair.first) >> factors;
  const u64 stride = static_cast<u64>(difference >> factors) * inverse(odd);
  const u32 unknown = 64 - (kBits - factors);
  const u64 shifted = stride << unknown;
  if (strides == Strides::powersOfTwo) return static_cast<Word>(shifted >> unknown);
  return static_cast<Word>(static_cast<s64>(shifted) >> unknown);
}

template <class Word>
bool stepsBy(const Word* lanes, u32 width, Word stride) {
  Word difference = 0;  // no early exit: the loop vectorises
  for (u32 lane = 1; lane < width; ++lane) difference |= static_cast<Word>(static_cast<Word>(lanes[lane] - lanes[lane - 1]) ^ stride);
  return difference == 0;
}

template <class Word>
bool matches(const Word* lanes, LaneMask active, const AffineForm<Word>& form) {
  for (const LaneId lane : active) {
    if (lanes[lane] != form.at(lane)) return false;
  }
  return true;
}

// The active lanes are the first ones, at least two.
template <class Word>
std::optional<AffineForm<Word>> formOfFirst(const Word* lanes, u32 count) {
  const Word stride = static_cast<Word>(lanes[1] - lanes[0]);
  if (!stepsBy(lanes, count < 4 ? count : 4, stride)) return std::nullopt;  // most generic vectors show it here
  // A width that is known here makes a loop without rest.
  const bool affine = count == 32 ? stepsBy(lanes, 32, stride) : stepsBy(lanes, count, stride);
  if (!affine) return std::nullopt;
  return AffineForm<Word>{lanes[0], stride};
}

template <class Word>
std::optional<AffineForm<Word>> formOfActive(const Word* lanes, LaneMask active, Strides strides) {
  const Pair pair = mostTellingPair(active);
  const auto stride = strideFrom(static_cast<Word>(lanes[pair.second] - lanes[pair.first]), pair, strides);
  if (!stride) return std::nullopt;
  const AffineForm<Word> form{static_cast<Word>(lanes[pair.first] - pair.first * *stride), *stride};
  if (!matches(lanes, active, form)) return std::nullopt;
  return form;
}

template <class Word>
bool isRestricted(const AffineForm<Word>& form) {
  return form.stride == 0 || (std::has_single_bit(form.stride) && (form.base & (form.stride - 1)) == 0);
}

}  // namespace

template <std::unsigned_integral Word>
std::optional<AffineForm<Word>> affineForm(const Word* lanes, LaneMask active, Strides strides) {
  if (active.empty()) return AffineForm<Word>{};
  if (active.hasOne()) return AffineForm<Word>{lanes[active.least()], 0};
  const bool areFirst = active.isPrefix();
  const auto form = areFirst ? formOfFirst(lanes, active.size()) : formOfActive(lanes, active, strides);
  if (form && strides == Strides::powersOfTwo && !isRestricted(*form)) return std::nullopt;
  return form;
}

template <std::unsigned_integral Word>
VectorClass classOf(const Word* lanes, LaneMask active, Strides strides) {
  const auto form = affineForm(lanes, active, strides);
  if (!form) return VectorClass::generic;
  if (form->stride != 0) return VectorClass::affine;
  return form->base == 0 ? VectorClass::zero : VectorClass::uniform;
}

template std::optional<AffineForm<u8>> affineForm(const u8*, LaneMask, Strides);
template std::optional<AffineForm<u16>> affineForm(const u16*, LaneMask, Strides);
template std::optional<AffineForm<u32>> affineForm(const u32*, LaneMask, Strides);
template std::optional<AffineForm<u64>> affineForm(const u64*, LaneMask, Strides);
template VectorClass classOf(const u8*, LaneMask, Strides);
template VectorClass classOf(const u16*, LaneMask, Strides);
template VectorClass classOf(const u32*, LaneMask, Strides);
template VectorClass classOf(const u64*, LaneMask, Strides);

}  // namespace warpwright::values
