// Comparison and selection (PTX ISA 9.7.7, 9.7.9).
#pragma once

#include "isa/semantics/float.hpp"
#include "isa/semantics/logic.hpp"

namespace warpwright::isa::semantics {
inline namespace WARPWRIGHT_HOST_LEVEL {

// Every comparison is one of five on (a, b) or (b, a), perhaps negated.
enum class Relation : u8 { equal, different, less, lessOrEqual, ordered };
struct CompareForm {
  Relation relation;
  bool swapped, negated;
};
// In the order of Compare. `different` is ordered and unequal.
inline constexpr CompareForm kCompareForms[14] = {
    {Relation::equal, false, false},        // eq
    {Relation::different, false, false},    // ne
    {Relation::less, false, false},         // lt
    {Relation::lessOrEqual, false, false},  // le
    {Relation::less, true, false},          // gt
    {Relation::lessOrEqual, true, false},   // ge
    {Relation::different, false, true},     // equ
    {Relation::equal, false, true},         // neu
    {Relation::lessOrEqual, true, true},    // ltu: not ge
    {Relation::less, true, true},           // leu: not gt
    {Relation::lessOrEqual, false, true},   // gtu: not le
    {Relation::less, false, true},          // geu: not lt
    {Relation::ordered, false, false},      // num
    {Relation::ordered, false, true},       // nan
};

template <class T, Relation R, bool Ftz>
WARPWRIGHT_SEMANTIC bool related(T a, T b) {
  if constexpr (kIsFloat<T>) {
    const T x = flush<Ftz>(a), y = flush<Ftz>(b);
    if constexpr (R == Relation::equal) return x == y;
    if constexpr (R == Relation::different) return x < y || x > y;
    if constexpr (R == Relation::less) return x < y;
    if constexpr (R == Relation::lessOrEqual) return x <= y;
    return x == x && y == y;
  } else {
    if constexpr (R == Relation::equal) return a == b;
    if constexpr (R == Relation::different) return a != b;
    if constexpr (R == Relation::less) return a < b;
    if constexpr (R == Relation::lessOrEqual) return a <= b;
    return true;
  }
}

// The halves compare like digits; only the upper one has a sign.
template <class W, Relation R>
WARPWRIGHT_SEMANTIC bool relatedWords(W a, W b) {
  const bool upperEqual = a.high == b.high;
  if constexpr (R == Relation::equal) return upperEqual && a.low == b.low;
  if constexpr (R == Relation::different) return !upperEqual || a.low != b.low;
  if constexpr (R == Relation::less) return a.high < b.high || (upperEqual && a.low < b.low);
  if constexpr (R == Relation::lessOrEqual) return a.high < b.high || (upperEqual && a.low <= b.low);
  return true;
}

// On masks of lanes: setp's and set's combination with a predicate.
WARPWRIGHT_SEMANTIC u64 combine(BoolOp operation, u64 compared, u64 predicate) {
  switch (operation) {
    case BoolOp::none:
      return compared;
    case BoolOp::and_:
      return compared & predicate;
    case BoolOp::or_:
      return compared | predicate;
    case BoolOp::xor_:
      return compared ^ predicate;
  }
  return compared;
}

// What set writes where the comparison holds.
WARPWRIGHT_SEMANTIC u32 setValue(DataType type) { return type == DataType::f32 ? bitsOf(1.0f) : ~u32{0}; }

template <class T>
WARPWRIGHT_SEMANTIC T move(T a) {
  return a;
}
template <class T>
WARPWRIGHT_SEMANTIC T select(T a, T b, bool condition) {
  return condition ? a : b;
}
// -0 counts as zero, NaN selects b.
template <class T, class S, bool Ftz>
WARPWRIGHT_SEMANTIC T selectBySign(T a, T b, S c) {
  if constexpr (kIsFloat<S>) return flush<Ftz>(c) >= S{0} ? a : b;
  return c >= 0 ? a : b;
}

}  // namespace WARPWRIGHT_HOST_LEVEL
}  // namespace warpwright::isa::semantics
