// Arithmetic, comparison, shuffles and atomics of one 16-bit format. Included once a format, with these macros, which it removes:
//   WARPWRIGHT_H, WARPWRIGHT_H2     the types           WARPWRIGHT_H_PTX     "f16" or "bf16"
//   WARPWRIGHT_H_FORMAT             the host's format   WARPWRIGHT_H_NAN     the canonical NaN
// The types have the members __x and x, y; conversions __warpwright_widen(h) and __warpwright_narrow(h*, float) exist already.

#define WARPWRIGHT_BITS(h) ((h).__x)
#define WARPWRIGHT_WORD(h) (__builtin_bit_cast(unsigned, h))

// --- one number
#ifdef __CUDA_ARCH__
#define WARPWRIGHT_BINARY(name, ptx, host)                                               \
  WARPWRIGHT_HALF_BOTH WARPWRIGHT_H name(WARPWRIGHT_H a, WARPWRIGHT_H b) {               \
    WARPWRIGHT_H r;                                                                      \
    asm(ptx "." WARPWRIGHT_H_PTX " %0, %1, %2;" : "=h"(r.__x) : "h"(a.__x), "h"(b.__x)); \
    return r;                                                                            \
  }
#define WARPWRIGHT_BINARY2(name, one, ptx)                                                                       \
  WARPWRIGHT_HALF_BOTH WARPWRIGHT_H2 name(WARPWRIGHT_H2 a, WARPWRIGHT_H2 b) {                                    \
    unsigned r;                                                                                                  \
    asm(ptx "." WARPWRIGHT_H_PTX "x2 %0, %1, %2;" : "=r"(r) : "r"(WARPWRIGHT_WORD(a)), "r"(WARPWRIGHT_WORD(b))); \
    return __builtin_bit_cast(WARPWRIGHT_H2, r);                                                                 \
  }
#define WARPWRIGHT_UNARY(name, one, ptx, host)                                      \
  WARPWRIGHT_HALF_BOTH WARPWRIGHT_H one(WARPWRIGHT_H a) {                           \
    WARPWRIGHT_H r;                                                                 \
    asm(ptx "." WARPWRIGHT_H_PTX " %0, %1;" : "=h"(r.__x) : "h"(a.__x));            \
    return r;                                                                       \
  }                                                                                 \
  WARPWRIGHT_HALF_BOTH WARPWRIGHT_H2 name(WARPWRIGHT_H2 a) {                        \
    unsigned r;                                                                     \
    asm(ptx "." WARPWRIGHT_H_PTX "x2 %0, %1;" : "=r"(r) : "r"(WARPWRIGHT_WORD(a))); \
    return __builtin_bit_cast(WARPWRIGHT_H2, r);                                    \
  }
#define WARPWRIGHT_FMA(name, two, ptx, finish)                                                           \
  WARPWRIGHT_HALF_BOTH WARPWRIGHT_H name(WARPWRIGHT_H a, WARPWRIGHT_H b, WARPWRIGHT_H c) {               \
    WARPWRIGHT_H r;                                                                                      \
    asm(ptx "." WARPWRIGHT_H_PTX " %0, %1, %2, %3;" : "=h"(r.__x) : "h"(a.__x), "h"(b.__x), "h"(c.__x)); \
    return r;                                                                                            \
  }                                                                                                      \
  WARPWRIGHT_HALF_BOTH WARPWRIGHT_H2 two(WARPWRIGHT_H2 a, WARPWRIGHT_H2 b, WARPWRIGHT_H2 c) {            \
    unsigned r;                                                                                          \
    asm(ptx "." WARPWRIGHT_H_PTX "x2 %0, %1, %2, %3;"                                                    \
        : "=r"(r)                                                                                        \
        : "r"(WARPWRIGHT_WORD(a)), "r"(WARPWRIGHT_WORD(b)), "r"(WARPWRIGHT_WORD(c)));                    \
    return __builtin_bit_cast(WARPWRIGHT_H2, r);                                                         \
  }
#define WARPWRIGHT_COMPARE(name, ptx, host)                                                                                         \
  WARPWRIGHT_HALF_BOTH bool name(WARPWRIGHT_H a, WARPWRIGHT_H b) {                                                                  \
    unsigned r;                                                                                                                     \
    asm("{ .reg .pred p; setp." ptx "." WARPWRIGHT_H_PTX " p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "h"(a.__x), "h"(b.__x)); \
    return r != 0;                                                                                                                  \
  }
#else
#define WARPWRIGHT_EXACT(h) __warpwright_half::decode(WARPWRIGHT_H_FORMAT, (h).__x)
#define WARPWRIGHT_ROUND(value) WARPWRIGHT_H::fromBits((unsigned short)__warpwright_half::encode(WARPWRIGHT_H_FORMAT, value))
#define WARPWRIGHT_BINARY(name, ptx, host)                                 \
  WARPWRIGHT_HALF_BOTH WARPWRIGHT_H name(WARPWRIGHT_H a, WARPWRIGHT_H b) { \
    const double x = WARPWRIGHT_EXACT(a), y = WARPWRIGHT_EXACT(b);         \
    return WARPWRIGHT_ROUND(host);                                         \
  }
#define WARPWRIGHT_BINARY2(name, one, ptx) \
  WARPWRIGHT_HALF_BOTH WARPWRIGHT_H2 name(WARPWRIGHT_H2 a, WARPWRIGHT_H2 b) { return WARPWRIGHT_H2(one(a.x, b.x), one(a.y, b.y)); }
#define WARPWRIGHT_UNARY(name, one, ptx, host)                                                                     \
  WARPWRIGHT_HALF_BOTH WARPWRIGHT_H one(WARPWRIGHT_H a) { return WARPWRIGHT_H::fromBits((unsigned short)(host)); } \
  WARPWRIGHT_HALF_BOTH WARPWRIGHT_H2 name(WARPWRIGHT_H2 a) { return WARPWRIGHT_H2(one(a.x), one(a.y)); }
#define WARPWRIGHT_FMA(name, two, ptx, finish)                                                                    \
  WARPWRIGHT_HALF_BOTH WARPWRIGHT_H name(WARPWRIGHT_H a, WARPWRIGHT_H b, WARPWRIGHT_H c) {                        \
    const double x = __warpwright_half::addToOdd(WARPWRIGHT_EXACT(a) * WARPWRIGHT_EXACT(b), WARPWRIGHT_EXACT(c)); \
    return WARPWRIGHT_ROUND(finish);                                                                              \
  }                                                                                                               \
  WARPWRIGHT_HALF_BOTH WARPWRIGHT_H2 two(WARPWRIGHT_H2 a, WARPWRIGHT_H2 b, WARPWRIGHT_H2 c) {                     \
    return WARPWRIGHT_H2(name(a.x, b.x, c.x), name(a.y, b.y, c.y));                                               \
  }
#define WARPWRIGHT_COMPARE(name, ptx, host)                        \
  WARPWRIGHT_HALF_BOTH bool name(WARPWRIGHT_H a, WARPWRIGHT_H b) { \
    const double x = WARPWRIGHT_EXACT(a), y = WARPWRIGHT_EXACT(b); \
    return host;                                                   \
  }
#endif

WARPWRIGHT_BINARY(__hadd, "add", x + y)
WARPWRIGHT_BINARY(__hsub, "sub", x - y)
WARPWRIGHT_BINARY(__hmul, "mul", x* y)
WARPWRIGHT_BINARY(__hadd_rn, "add.rn", x + y)
WARPWRIGHT_BINARY(__hsub_rn, "sub.rn", x - y)
WARPWRIGHT_BINARY(__hmul_rn, "mul.rn", x* y)
// Of two zeros +0 is the greater.
WARPWRIGHT_BINARY(__hmin, "min", isnan(x) ? y : isnan(y) ? x : x < y || (x == y && signbit(x)) ? x : y)
WARPWRIGHT_BINARY(__hmax, "max", isnan(x) ? y : isnan(y) ? x : x > y || (x == y && !signbit(x)) ? x : y)
WARPWRIGHT_BINARY(__hmin_nan, "min.NaN", isnan(x) || isnan(y) ? double(NAN) : x < y || (x == y && signbit(x)) ? x : y)
WARPWRIGHT_BINARY(__hmax_nan, "max.NaN", isnan(x) || isnan(y) ? double(NAN) : x > y || (x == y && !signbit(x)) ? x : y)
WARPWRIGHT_BINARY2(__hadd2, __hadd, "add")
WARPWRIGHT_BINARY2(__hsub2, __hsub, "sub")
WARPWRIGHT_BINARY2(__hmul2, __hmul, "mul")
WARPWRIGHT_BINARY2(__hadd2_rn, __hadd, "add.rn")
WARPWRIGHT_BINARY2(__hsub2_rn, __hsub, "sub.rn")
WARPWRIGHT_BINARY2(__hmul2_rn, __hmul, "mul.rn")
WARPWRIGHT_BINARY2(__hmin2, __hmin, "min")
WARPWRIGHT_BINARY2(__hmax2, __hmax, "max")
WARPWRIGHT_BINARY2(__hmin2_nan, __hmin_nan, "min.NaN")
WARPWRIGHT_BINARY2(__hmax2_nan, __hmax_nan, "max.NaN")
WARPWRIGHT_UNARY(__hneg2, __hneg, "neg", a.__x ^ 0x8000)
WARPWRIGHT_UNARY(__habs2, __habs, "abs", a.__x & 0x7fff)
WARPWRIGHT_FMA(__hfma, __hfma2, "fma.rn", x)
WARPWRIGHT_FMA(__hfma_relu, __hfma2_relu, "fma.rn.relu", x <= 0 ? 0.0 : x)
WARPWRIGHT_COMPARE(__heq, "eq", x == y)
WARPWRIGHT_COMPARE(__hne, "ne", x<y || x> y)
WARPWRIGHT_COMPARE(__hlt, "lt", x < y)
WARPWRIGHT_COMPARE(__hle, "le", x <= y)
WARPWRIGHT_COMPARE(__hgt, "gt", x > y)
WARPWRIGHT_COMPARE(__hge, "ge", x >= y)
WARPWRIGHT_COMPARE(__hequ, "equ", !(x < y || x > y))
WARPWRIGHT_COMPARE(__hneu, "neu", x != y)
WARPWRIGHT_COMPARE(__hltu, "ltu", !(x >= y))
WARPWRIGHT_COMPARE(__hleu, "leu", !(x > y))
WARPWRIGHT_COMPARE(__hgtu, "gtu", !(x <= y))
WARPWRIGHT_COMPARE(__hgeu, "geu", !(x < y))
#undef WARPWRIGHT_BINARY
#undef WARPWRIGHT_BINARY2
#undef WARPWRIGHT_UNARY
#undef WARPWRIGHT_FMA
#undef WARPWRIGHT_COMPARE
#undef WARPWRIGHT_EXACT
#undef WARPWRIGHT_ROUND

// The quotient in f32 has more than twice the bits of either format and two more, so that rounding it again is right.
WARPWRIGHT_HALF_BOTH WARPWRIGHT_H __hdiv(WARPWRIGHT_H a, WARPWRIGHT_H b) {
  WARPWRIGHT_H r;
  __warpwright_narrow(&r, __warpwright_widen(a) / __warpwright_widen(b));
  return r;
}
WARPWRIGHT_HALF_BOTH WARPWRIGHT_H2 __h2div(WARPWRIGHT_H2 a, WARPWRIGHT_H2 b) { return WARPWRIGHT_H2(__hdiv(a.x, b.x), __hdiv(a.y, b.y)); }

WARPWRIGHT_HALF_BOTH bool __hisnan(WARPWRIGHT_H a) { return (a.__x & 0x7fff) > WARPWRIGHT_H_INFINITY; }
// 1 for +infinity, -1 for -infinity.
WARPWRIGHT_HALF_BOTH int __hisinf(WARPWRIGHT_H a) { return (a.__x & 0x7fff) != WARPWRIGHT_H_INFINITY ? 0 : (a.__x & 0x8000) != 0 ? -1 : 1; }

// To [+0, 1]; NaN becomes +0.
#define WARPWRIGHT_SATURATED(name, two, operation, operation2, Parameters, Parameters2, Arguments)                   \
  WARPWRIGHT_HALF_BOTH WARPWRIGHT_H name Parameters {                                                                \
    return __hmin(__hmax(operation Arguments, WARPWRIGHT_H::fromBits(0)), WARPWRIGHT_H::fromBits(WARPWRIGHT_H_ONE)); \
  }                                                                                                                  \
  WARPWRIGHT_HALF_BOTH WARPWRIGHT_H2 two Parameters2 {                                                               \
    const WARPWRIGHT_H zero = WARPWRIGHT_H::fromBits(0), one = WARPWRIGHT_H::fromBits(WARPWRIGHT_H_ONE);             \
    return __hmin2(__hmax2(operation2 Arguments, WARPWRIGHT_H2(zero, zero)), WARPWRIGHT_H2(one, one));               \
  }
WARPWRIGHT_SATURATED(__hadd_sat, __hadd2_sat, __hadd, __hadd2, (WARPWRIGHT_H a, WARPWRIGHT_H b), (WARPWRIGHT_H2 a, WARPWRIGHT_H2 b), (a, b))
WARPWRIGHT_SATURATED(__hsub_sat, __hsub2_sat, __hsub, __hsub2, (WARPWRIGHT_H a, WARPWRIGHT_H b), (WARPWRIGHT_H2 a, WARPWRIGHT_H2 b), (a, b))
WARPWRIGHT_SATURATED(__hmul_sat, __hmul2_sat, __hmul, __hmul2, (WARPWRIGHT_H a, WARPWRIGHT_H b), (WARPWRIGHT_H2 a, WARPWRIGHT_H2 b), (a, b))
WARPWRIGHT_SATURATED(__hfma_sat, __hfma2_sat, __hfma, __hfma2, (WARPWRIGHT_H a, WARPWRIGHT_H b, WARPWRIGHT_H c),
                     (WARPWRIGHT_H2 a, WARPWRIGHT_H2 b, WARPWRIGHT_H2 c), (a, b, c))
#undef WARPWRIGHT_SATURATED

// Comparisons of pairs: 1.0 or 0 a half; both; all ones or zero a half.
#define WARPWRIGHT_COMPARE2(relation)                                                               \
  WARPWRIGHT_HALF_BOTH WARPWRIGHT_H2 __h##relation##2(WARPWRIGHT_H2 a, WARPWRIGHT_H2 b) {           \
    return WARPWRIGHT_H2(WARPWRIGHT_H::fromBits(__h##relation(a.x, b.x) ? WARPWRIGHT_H_ONE : 0),    \
                         WARPWRIGHT_H::fromBits(__h##relation(a.y, b.y) ? WARPWRIGHT_H_ONE : 0));   \
  }                                                                                                 \
  WARPWRIGHT_HALF_BOTH bool __hb##relation##2(WARPWRIGHT_H2 a, WARPWRIGHT_H2 b) {                   \
    return __h##relation(a.x, b.x) && __h##relation(a.y, b.y);                                      \
  }                                                                                                 \
  WARPWRIGHT_HALF_BOTH unsigned __h##relation##2_mask(WARPWRIGHT_H2 a, WARPWRIGHT_H2 b) {           \
    return (__h##relation(a.x, b.x) ? 0xffffu : 0u) | (__h##relation(a.y, b.y) ? 0xffff0000u : 0u); \
  }
WARPWRIGHT_COMPARE2(eq)
WARPWRIGHT_COMPARE2(ne)
WARPWRIGHT_COMPARE2(lt)
WARPWRIGHT_COMPARE2(le)
WARPWRIGHT_COMPARE2(gt)
WARPWRIGHT_COMPARE2(ge)
WARPWRIGHT_COMPARE2(equ)
WARPWRIGHT_COMPARE2(neu)
WARPWRIGHT_COMPARE2(ltu)
WARPWRIGHT_COMPARE2(leu)
WARPWRIGHT_COMPARE2(gtu)
WARPWRIGHT_COMPARE2(geu)
#undef WARPWRIGHT_COMPARE2

#define WARPWRIGHT_OPERATORS(Type, add, subtract, multiply, divide, negate)                    \
  WARPWRIGHT_HALF_BOTH Type operator+(const Type& a, const Type& b) { return add(a, b); }      \
  WARPWRIGHT_HALF_BOTH Type operator-(const Type& a, const Type& b) { return subtract(a, b); } \
  WARPWRIGHT_HALF_BOTH Type operator*(const Type& a, const Type& b) { return multiply(a, b); } \
  WARPWRIGHT_HALF_BOTH Type operator/(const Type& a, const Type& b) { return divide(a, b); }   \
  WARPWRIGHT_HALF_BOTH Type& operator+=(Type& a, const Type& b) { return a = add(a, b); }      \
  WARPWRIGHT_HALF_BOTH Type& operator-=(Type& a, const Type& b) { return a = subtract(a, b); } \
  WARPWRIGHT_HALF_BOTH Type& operator*=(Type& a, const Type& b) { return a = multiply(a, b); } \
  WARPWRIGHT_HALF_BOTH Type& operator/=(Type& a, const Type& b) { return a = divide(a, b); }   \
  WARPWRIGHT_HALF_BOTH Type operator+(const Type& a) { return a; }                             \
  WARPWRIGHT_HALF_BOTH Type operator-(const Type& a) { return negate(a); }
WARPWRIGHT_OPERATORS(WARPWRIGHT_H, __hadd, __hsub, __hmul, __hdiv, __hneg)
WARPWRIGHT_OPERATORS(WARPWRIGHT_H2, __hadd2, __hsub2, __hmul2, __h2div, __hneg2)
#undef WARPWRIGHT_OPERATORS

#define WARPWRIGHT_RELATIONS(Type, equal, different, less, atMost, greater, atLeast)             \
  WARPWRIGHT_HALF_BOTH bool operator==(const Type& a, const Type& b) { return equal(a, b); }     \
  WARPWRIGHT_HALF_BOTH bool operator!=(const Type& a, const Type& b) { return different(a, b); } \
  WARPWRIGHT_HALF_BOTH bool operator<(const Type& a, const Type& b) { return less(a, b); }       \
  WARPWRIGHT_HALF_BOTH bool operator<=(const Type& a, const Type& b) { return atMost(a, b); }    \
  WARPWRIGHT_HALF_BOTH bool operator>(const Type& a, const Type& b) { return greater(a, b); }    \
  WARPWRIGHT_HALF_BOTH bool operator>=(const Type& a, const Type& b) { return atLeast(a, b); }
WARPWRIGHT_RELATIONS(WARPWRIGHT_H, __heq, __hneu, __hlt, __hle, __hgt, __hge)
WARPWRIGHT_RELATIONS(WARPWRIGHT_H2, __hbeq2, __hbneu2, __hblt2, __hble2, __hbgt2, __hbge2)
#undef WARPWRIGHT_RELATIONS

#ifdef __CUDA__
// --- functions, computed in f32 and rounded once more
#define WARPWRIGHT_FUNCTION(name, expression)                   \
  WARPWRIGHT_HALF_DEVICE WARPWRIGHT_H h##name(WARPWRIGHT_H a) { \
    const float x = __warpwright_widen(a);                      \
    WARPWRIGHT_H r;                                             \
    __warpwright_narrow(&r, expression);                        \
    return r;                                                   \
  }                                                             \
  WARPWRIGHT_HALF_DEVICE WARPWRIGHT_H2 h2##name(WARPWRIGHT_H2 a) { return WARPWRIGHT_H2(h##name(a.x), h##name(a.y)); }
WARPWRIGHT_FUNCTION(exp, expf(x))
WARPWRIGHT_FUNCTION(exp2, exp2f(x))
WARPWRIGHT_FUNCTION(exp10, exp10f(x))
WARPWRIGHT_FUNCTION(log, logf(x))
WARPWRIGHT_FUNCTION(log2, log2f(x))
WARPWRIGHT_FUNCTION(log10, log10f(x))
WARPWRIGHT_FUNCTION(sqrt, sqrtf(x))
WARPWRIGHT_FUNCTION(rsqrt, rsqrtf(x))
WARPWRIGHT_FUNCTION(rcp, 1.0f / x)
WARPWRIGHT_FUNCTION(sin, sinf(x))
WARPWRIGHT_FUNCTION(cos, cosf(x))
WARPWRIGHT_FUNCTION(tanh, tanhf(x))
WARPWRIGHT_FUNCTION(floor, floorf(x))
WARPWRIGHT_FUNCTION(ceil, ceilf(x))
WARPWRIGHT_FUNCTION(trunc, truncf(x))
WARPWRIGHT_FUNCTION(rint, rintf(x))
#undef WARPWRIGHT_FUNCTION

// --- between lanes
#define WARPWRIGHT_SHUFFLE(name, Index)                                                                      \
  WARPWRIGHT_HALF_WARP WARPWRIGHT_H name(unsigned mask, WARPWRIGHT_H value, Index index, int width = 32) {   \
    return WARPWRIGHT_H::fromBits((unsigned short)name(mask, (unsigned)value.__x, index, width));            \
  }                                                                                                          \
  WARPWRIGHT_HALF_WARP WARPWRIGHT_H2 name(unsigned mask, WARPWRIGHT_H2 value, Index index, int width = 32) { \
    return __builtin_bit_cast(WARPWRIGHT_H2, name(mask, WARPWRIGHT_WORD(value), index, width));              \
  }
WARPWRIGHT_SHUFFLE(__shfl_sync, int)
WARPWRIGHT_SHUFFLE(__shfl_up_sync, unsigned)
WARPWRIGHT_SHUFFLE(__shfl_down_sync, unsigned)
WARPWRIGHT_SHUFFLE(__shfl_xor_sync, int)
#undef WARPWRIGHT_SHUFFLE

// --- memory
WARPWRIGHT_HALF_DEVICE WARPWRIGHT_H atomicAdd(WARPWRIGHT_H* address, WARPWRIGHT_H value) {
  WARPWRIGHT_H old;
  asm volatile("atom.add.noftz." WARPWRIGHT_H_PTX " %0, [%1], %2;"
               : "=h"(old.__x)
               : WARPWRIGHT_HALF_ADDRESS(address), "h"(value.__x)
               : "memory");
  return old;
}
WARPWRIGHT_HALF_DEVICE WARPWRIGHT_H2 atomicAdd(WARPWRIGHT_H2* address, WARPWRIGHT_H2 value) {
  unsigned old;
  asm volatile("atom.add.noftz." WARPWRIGHT_H_PTX "x2 %0, [%1], %2;"
               : "=r"(old)
               : WARPWRIGHT_HALF_ADDRESS(address), "r"(WARPWRIGHT_WORD(value))
               : "memory");
  return __builtin_bit_cast(WARPWRIGHT_H2, old);
}
#define WARPWRIGHT_LOAD(name)                                                 \
  WARPWRIGHT_HALF_DEVICE WARPWRIGHT_H name(const WARPWRIGHT_H* address) {     \
    return WARPWRIGHT_H::fromBits(name((const unsigned short*)address));      \
  }                                                                           \
  WARPWRIGHT_HALF_DEVICE WARPWRIGHT_H2 name(const WARPWRIGHT_H2* address) {   \
    return __builtin_bit_cast(WARPWRIGHT_H2, name((const unsigned*)address)); \
  }
WARPWRIGHT_LOAD(__ldg)
WARPWRIGHT_LOAD(__ldca)
WARPWRIGHT_LOAD(__ldcg)
WARPWRIGHT_LOAD(__ldcs)
#undef WARPWRIGHT_LOAD
#endif

#undef WARPWRIGHT_BITS
#undef WARPWRIGHT_WORD
#undef WARPWRIGHT_H
#undef WARPWRIGHT_H2
#undef WARPWRIGHT_H_PTX
#undef WARPWRIGHT_H_FORMAT
#undef WARPWRIGHT_H_INFINITY
#undef WARPWRIGHT_H_ONE
