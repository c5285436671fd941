// Arithmetic on 16-bit floating-point numbers (PTX ISA, "Half Precision Floating Point Instructions"): the exact result, rounded once.
//
// Sums and products of 16-bit numbers are computed in f64. A product is exact there. A sum whose smaller term falls below f64's last
// place is not, but then that term is far smaller than half a last place of the 16-bit result, and the larger term is itself a 16-bit
// number, so rounding twice gives the same bits. Only in a fused multiply-add can the larger term, a product, lie on a tie: its sum is
// rounded to odd first, which keeps the rounding to 16 bits right.
#pragma once

#include "isa/semantics/compare.hpp"
#include "isa/semantics/convert.hpp"
#include "isa/semantics/special.hpp"

namespace warpwright::isa::semantics {
inline namespace WARPWRIGHT_HOST_LEVEL {

template <class N>
inline constexpr u16 kNarrowExponentMask = NarrowFormat<N>::kInfinity;

template <class N>
WARPWRIGHT_SEMANTIC N flushNarrow(bool ftz, N x) {
  const bool subnormal = (x.bits & kNarrowExponentMask<N>) == 0;
  return {static_cast<u16>(ftz && subnormal ? x.bits & 0x8000 : x.bits)};
}
template <class N>
WARPWRIGHT_SEMANTIC double exactValue(const Modifiers& modifiers, N x) {
  return static_cast<double>(widen(flushNarrow(modifiers.ftz, x)));
}

template <class N>
WARPWRIGHT_SEMANTIC N finishNarrow(const Modifiers& modifiers, double exact) {
  const double clamped = modifiers.saturate ? saturate(exact) : modifiers.relu && exact <= 0 ? 0.0 : exact;
  return flushNarrow(modifiers.ftz, narrow<N>(Rounding::nearest, clamped));
}

// a + b rounded to odd: where the sum is inexact, the one of the two neighbours whose last bit is set.
WARPWRIGHT_SEMANTIC double addToOdd(double a, double b) {
  const double sum = a + b;
  const double part = sum - a;
  const double error = (a - (sum - part)) + (b - part);
  const bool inexact = error < 0 || error > 0;  // false when infinities made it NaN
  const u64 bits = bitsOf(sum);
  const u64 towardsError = (error < 0) == (sum < 0) ? bits + 1 : bits - 1;
  return inexact && (bits & 1) == 0 ? fromBits(towardsError) : sum;
}

struct HalfAdd {
  template <class N>
  WARPWRIGHT_SEMANTIC static N run(const Modifiers& m, N a, N b) {
    return finishNarrow<N>(m, exactValue(m, a) + exactValue(m, b));
  }
};
struct HalfSubtract {
  template <class N>
  WARPWRIGHT_SEMANTIC static N run(const Modifiers& m, N a, N b) {
    return finishNarrow<N>(m, exactValue(m, a) - exactValue(m, b));
  }
};
struct HalfMultiply {
  template <class N>
  WARPWRIGHT_SEMANTIC static N run(const Modifiers& m, N a, N b) {
    return finishNarrow<N>(m, exactValue(m, a) * exactValue(m, b));
  }
};
struct HalfFma {
  template <class N>
  WARPWRIGHT_SEMANTIC static N run(const Modifiers& m, N a, N b, N c) {
    return finishNarrow<N>(m, addToOdd(exactValue(m, a) * exactValue(m, b), exactValue(m, c)));
  }
};
// Sign operations keep a NaN's payload: PTX leaves it open.
struct HalfAbsolute {
  template <class N>
  WARPWRIGHT_SEMANTIC static N run(const Modifiers& m, N a) {
    return {static_cast<u16>(flushNarrow(m.ftz, a).bits & 0x7fff)};
  }
};
struct HalfNegate {
  template <class N>
  WARPWRIGHT_SEMANTIC static N run(const Modifiers& m, N a) {
    return {static_cast<u16>(flushNarrow(m.ftz, a).bits ^ 0x8000)};
  }
};
struct HalfMinimum {
  template <class N>
  WARPWRIGHT_SEMANTIC static N run(const Modifiers& m, N a, N b) {
    const float x = widen(flushNarrow(m.ftz, a)), y = widen(flushNarrow(m.ftz, b));
    const float least = m.nanMode ? floatMinimum<float, false, true>(x, y) : floatMinimum<float, false, false>(x, y);
    return narrow<N>(Rounding::nearest, static_cast<double>(least));
  }
};
struct HalfMaximum {
  template <class N>
  WARPWRIGHT_SEMANTIC static N run(const Modifiers& m, N a, N b) {
    const float x = widen(flushNarrow(m.ftz, a)), y = widen(flushNarrow(m.ftz, b));
    const float greatest = m.nanMode ? floatMaximum<float, false, true>(x, y) : floatMaximum<float, false, false>(x, y);
    return narrow<N>(Rounding::nearest, static_cast<double>(greatest));
  }
};
struct HalfExp2 {
  template <class N>
  WARPWRIGHT_SEMANTIC static N run(const Modifiers& m, N a) {
    return finishNarrow<N>(m, static_cast<double>(approximateExp2<false>(widen(flushNarrow(m.ftz, a)))));
  }
};
struct HalfTanh {
  template <class N>
  WARPWRIGHT_SEMANTIC static N run(const Modifiers& m, N a) {
    return finishNarrow<N>(m, static_cast<double>(approximateTanh(widen(a))));
  }
};

// An operation on each half of packed operands. Part is Half or Brain, or an integer.
template <class Part>
WARPWRIGHT_SEMANTIC Part partOf(u32 word, u32 shift) {
  return {static_cast<u16>(word >> shift)};
}
WARPWRIGHT_SEMANTIC u32 joined(u16 low, u16 high) { return static_cast<u32>(high) << 16 | low; }

template <class N, class Operation, class... A>
WARPWRIGHT_SEMANTIC u32 onPairs(const Modifiers& m, A... a) {
  const N low = Operation::run(m, partOf<N>(a, 0)...), high = Operation::run(m, partOf<N>(a, 16)...);
  return joined(low.bits, high.bits);
}

// Adapters with the signatures that the binders take.
template <class N, class Operation>
WARPWRIGHT_SEMANTIC N half1(const Modifiers& m, N a) {
  return Operation::run(m, a);
}
template <class N, class Operation>
WARPWRIGHT_SEMANTIC N half2(const Modifiers& m, N a, N b) {
  return Operation::run(m, a, b);
}
template <class N, class Operation>
WARPWRIGHT_SEMANTIC N half3(const Modifiers& m, N a, N b, N c) {
  return Operation::run(m, a, b, c);
}
template <class N, class Operation>
WARPWRIGHT_SEMANTIC u32 pair1(const Modifiers& m, u32 a) {
  return onPairs<N, Operation>(m, a);
}
template <class N, class Operation>
WARPWRIGHT_SEMANTIC u32 pair2(const Modifiers& m, u32 a, u32 b) {
  return onPairs<N, Operation>(m, a, b);
}
template <class N, class Operation>
WARPWRIGHT_SEMANTIC u32 pair3(const Modifiers& m, u32 a, u32 b, u32 c) {
  return onPairs<N, Operation>(m, a, b, c);
}

// --- packed 16-bit integers
WARPWRIGHT_SEMANTIC u32 addPairs(u32 a, u32 b) { return joined(static_cast<u16>(a + b), static_cast<u16>((a >> 16) + (b >> 16))); }
template <class T>
WARPWRIGHT_SEMANTIC u32 minimumPairs(u32 a, u32 b) {
  const T x = static_cast<T>(a), y = static_cast<T>(b), z = static_cast<T>(a >> 16), w = static_cast<T>(b >> 16);
  return joined(static_cast<u16>(x < y ? x : y), static_cast<u16>(z < w ? z : w));
}
template <class T>
WARPWRIGHT_SEMANTIC u32 maximumPairs(u32 a, u32 b) {
  const T x = static_cast<T>(a), y = static_cast<T>(b), z = static_cast<T>(a >> 16), w = static_cast<T>(b >> 16);
  return joined(static_cast<u16>(x < y ? y : x), static_cast<u16>(z < w ? w : z));
}

// --- comparison
template <class N, Relation R, bool Ftz>
WARPWRIGHT_SEMANTIC bool relatedNarrow(N a, N b) {
  return related<float, R, false>(widen(flushNarrow(Ftz, a)), widen(flushNarrow(Ftz, b)));
}

}  // namespace WARPWRIGHT_HOST_LEVEL
}  // namespace warpwright::isa::semantics
