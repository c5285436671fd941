// The type of a 16-bit floating-point number, that of a pair, and conversions of both, once for each format. Before inclusion are defined
//   WARPWRIGHT_H, WARPWRIGHT_H2     the types           WARPWRIGHT_H_PTX       "f16" or "bf16"
//   WARPWRIGHT_H_RAW, _H2_RAW       their bits          WARPWRIGHT_H_FORMAT    the host's format
//   WARPWRIGHT_H_STEM               what CUDA calls the format in the names of functions: half or bfloat16

#define WARPWRIGHT_H_JOIN_TWICE(before, stem, between, stem2, after) before##stem##between##stem2##after
#define WARPWRIGHT_H_JOIN(before, stem, after) before##stem##after
#define WARPWRIGHT_H_JOINED(before, stem, after) WARPWRIGHT_H_JOIN(before, stem, after)
#define WARPWRIGHT_H_JOINED_TWICE(before, stem, between, after) WARPWRIGHT_H_JOIN_TWICE(before, stem, between, stem, after)
#define WARPWRIGHT_H_NAME(before, after) WARPWRIGHT_H_JOINED(before, WARPWRIGHT_H_STEM, after)
#define WARPWRIGHT_H_NAME2(before, between, after) WARPWRIGHT_H_JOINED_TWICE(before, WARPWRIGHT_H_STEM, between, after)

struct WARPWRIGHT_H_RAW {
  unsigned short x;
};
struct WARPWRIGHT_H2_RAW {
  unsigned short x, y;
};

struct WARPWRIGHT_H;
WARPWRIGHT_HALF_BOTH float WARPWRIGHT_H_NAME(__, 2float)(WARPWRIGHT_H h);
WARPWRIGHT_HALF_BOTH WARPWRIGHT_H WARPWRIGHT_H_NAME(__float2, _rn)(float f);

struct __attribute__((aligned(2))) WARPWRIGHT_H {
  unsigned short __x;

  WARPWRIGHT_H() = default;
  WARPWRIGHT_HALF_MEMBER WARPWRIGHT_H(WARPWRIGHT_H_RAW raw) : __x(raw.x) {}
  WARPWRIGHT_HALF_MEMBER WARPWRIGHT_H(float f) : __x(WARPWRIGHT_H_NAME(__float2, _rn)(f).__x) {}
  WARPWRIGHT_HALF_MEMBER WARPWRIGHT_H(double d);
  WARPWRIGHT_HALF_MEMBER WARPWRIGHT_H(int i);
  WARPWRIGHT_HALF_MEMBER WARPWRIGHT_H(unsigned i);
  WARPWRIGHT_HALF_MEMBER WARPWRIGHT_H(short i) : WARPWRIGHT_H((int)i) {}
  WARPWRIGHT_HALF_MEMBER WARPWRIGHT_H(unsigned short i) : WARPWRIGHT_H((unsigned)i) {}
  WARPWRIGHT_HALF_MEMBER WARPWRIGHT_H(long long i);
  WARPWRIGHT_HALF_MEMBER WARPWRIGHT_H(unsigned long long i);
  WARPWRIGHT_HALF_MEMBER static WARPWRIGHT_H fromBits(unsigned short bits) {
    WARPWRIGHT_H_RAW raw = {bits};
    return WARPWRIGHT_H(raw);
  }

  WARPWRIGHT_HALF_MEMBER operator float() const { return WARPWRIGHT_H_NAME(__, 2float)(*this); }
  WARPWRIGHT_HALF_MEMBER operator WARPWRIGHT_H_RAW() const { return WARPWRIGHT_H_RAW{__x}; }
  WARPWRIGHT_HALF_MEMBER explicit operator bool() const { return (__x & 0x7fff) != 0; }
  WARPWRIGHT_HALF_MEMBER explicit operator int() const { return (int)WARPWRIGHT_H_NAME(__, 2float)(*this); }
  WARPWRIGHT_HALF_MEMBER explicit operator unsigned() const { return (unsigned)WARPWRIGHT_H_NAME(__, 2float)(*this); }
  WARPWRIGHT_HALF_MEMBER explicit operator long long() const { return (long long)WARPWRIGHT_H_NAME(__, 2float)(*this); }
  WARPWRIGHT_HALF_MEMBER explicit operator double() const { return (double)WARPWRIGHT_H_NAME(__, 2float)(*this); }
};

struct __attribute__((aligned(4))) WARPWRIGHT_H2 {
  WARPWRIGHT_H x, y;

  WARPWRIGHT_H2() = default;
  WARPWRIGHT_HALF_MEMBER WARPWRIGHT_H2(WARPWRIGHT_H low, WARPWRIGHT_H high) : x(low), y(high) {}
};

// --- conversions. The suffix is the direction of rounding: nearest even, towards zero, down, up.
#ifdef __CUDA_ARCH__
#define WARPWRIGHT_CONVERT(name, mode, direction, From, ptx, constraint)                        \
  WARPWRIGHT_HALF_BOTH WARPWRIGHT_H name(From value) {                                          \
    WARPWRIGHT_H r;                                                                             \
    asm("cvt." mode "." WARPWRIGHT_H_PTX "." ptx " %0, %1;" : "=h"(r.__x) : constraint(value)); \
    return r;                                                                                   \
  }
#define WARPWRIGHT_CONVERT_BACK(name, mode, direction, To, ptx, constraint)                    \
  WARPWRIGHT_HALF_BOTH To name(WARPWRIGHT_H h) {                                               \
    To r;                                                                                      \
    asm("cvt." mode "." ptx "." WARPWRIGHT_H_PTX " %0, %1;" : "=" constraint(r) : "h"(h.__x)); \
    return r;                                                                                  \
  }
#else
#define WARPWRIGHT_CONVERT(name, mode, direction, From, ptx, constraint)                                                         \
  WARPWRIGHT_HALF_BOTH WARPWRIGHT_H name(From value) {                                                                           \
    return WARPWRIGHT_H::fromBits(                                                                                               \
        (unsigned short)__warpwright_half::encode(WARPWRIGHT_H_FORMAT, (double)value, __warpwright_half::Direction::direction)); \
  }
#define WARPWRIGHT_CONVERT_BACK(name, mode, direction, To, ptx, constraint)                                                       \
  WARPWRIGHT_HALF_BOTH To name(WARPWRIGHT_H h) {                                                                                  \
    const double value = __warpwright_half::decode(WARPWRIGHT_H_FORMAT, h.__x);                                                   \
    const double whole = __warpwright_half::roundedInteger(fabs(value), __warpwright_half::Direction::direction, signbit(value)); \
    return isnan(value) ? (To)0 : (To)(signbit(value) ? -whole : whole);                                                          \
  }
#endif
#define WARPWRIGHT_CONVERT_MODES(before, after, From, ptx, constraint)                            \
  WARPWRIGHT_CONVERT(WARPWRIGHT_H_NAME(before, after##_rn), "rn", nearest, From, ptx, constraint) \
  WARPWRIGHT_CONVERT(WARPWRIGHT_H_NAME(before, after##_rz), "rz", zero, From, ptx, constraint)    \
  WARPWRIGHT_CONVERT(WARPWRIGHT_H_NAME(before, after##_rd), "rm", down, From, ptx, constraint)    \
  WARPWRIGHT_CONVERT(WARPWRIGHT_H_NAME(before, after##_ru), "rp", up, From, ptx, constraint)
#define WARPWRIGHT_CONVERT_BACK_MODES(before, after, To, ptx, constraint)                             \
  WARPWRIGHT_CONVERT_BACK(WARPWRIGHT_H_NAME(before, after##_rn), "rni", nearest, To, ptx, constraint) \
  WARPWRIGHT_CONVERT_BACK(WARPWRIGHT_H_NAME(before, after##_rz), "rzi", zero, To, ptx, constraint)    \
  WARPWRIGHT_CONVERT_BACK(WARPWRIGHT_H_NAME(before, after##_rd), "rmi", down, To, ptx, constraint)    \
  WARPWRIGHT_CONVERT_BACK(WARPWRIGHT_H_NAME(before, after##_ru), "rpi", up, To, ptx, constraint)
WARPWRIGHT_CONVERT_MODES(__float2, , float, "f32", "f")
WARPWRIGHT_CONVERT(WARPWRIGHT_H_NAME(__double2, ), "rn", nearest, double, "f64", "d")
WARPWRIGHT_CONVERT_MODES(__int2, , int, "s32", "r")
WARPWRIGHT_CONVERT_MODES(__uint2, , unsigned, "u32", "r")
WARPWRIGHT_CONVERT_MODES(__short2, , short, "s16", "h")
WARPWRIGHT_CONVERT_MODES(__ushort2, , unsigned short, "u16", "h")
WARPWRIGHT_CONVERT_MODES(__ll2, , long long, "s64", "l")
WARPWRIGHT_CONVERT_MODES(__ull2, , unsigned long long, "u64", "l")
WARPWRIGHT_CONVERT_BACK_MODES(__, 2int, int, "s32", "r")
WARPWRIGHT_CONVERT_BACK_MODES(__, 2uint, unsigned, "u32", "r")
WARPWRIGHT_CONVERT_BACK_MODES(__, 2short, short, "s16", "h")
WARPWRIGHT_CONVERT_BACK_MODES(__, 2ushort, unsigned short, "u16", "h")
WARPWRIGHT_CONVERT_BACK_MODES(__, 2ll, long long, "s64", "l")
WARPWRIGHT_CONVERT_BACK_MODES(__, 2ull, unsigned long long, "u64", "l")
#undef WARPWRIGHT_CONVERT
#undef WARPWRIGHT_CONVERT_MODES
#undef WARPWRIGHT_CONVERT_BACK
#undef WARPWRIGHT_CONVERT_BACK_MODES

WARPWRIGHT_HALF_BOTH WARPWRIGHT_H WARPWRIGHT_H_NAME(__float2, )(float f) { return WARPWRIGHT_H_NAME(__float2, _rn)(f); }
WARPWRIGHT_HALF_BOTH float WARPWRIGHT_H_NAME(__, 2float)(WARPWRIGHT_H h) {
#ifdef __CUDA_ARCH__
  float f;
  asm("cvt.f32." WARPWRIGHT_H_PTX " %0, %1;" : "=f"(f) : "h"(h.__x));
  return f;
#else
  return (float)__warpwright_half::decode(WARPWRIGHT_H_FORMAT, h.__x);
#endif
}
WARPWRIGHT_HALF_MEMBER WARPWRIGHT_H::WARPWRIGHT_H(double d) : __x(WARPWRIGHT_H_NAME(__double2, )(d).__x) {}
WARPWRIGHT_HALF_MEMBER WARPWRIGHT_H::WARPWRIGHT_H(int i) : __x(WARPWRIGHT_H_NAME(__int2, _rn)(i).__x) {}
WARPWRIGHT_HALF_MEMBER WARPWRIGHT_H::WARPWRIGHT_H(unsigned i) : __x(WARPWRIGHT_H_NAME(__uint2, _rn)(i).__x) {}
WARPWRIGHT_HALF_MEMBER WARPWRIGHT_H::WARPWRIGHT_H(long long i) : __x(WARPWRIGHT_H_NAME(__ll2, _rn)(i).__x) {}
WARPWRIGHT_HALF_MEMBER WARPWRIGHT_H::WARPWRIGHT_H(unsigned long long i) : __x(WARPWRIGHT_H_NAME(__ull2, _rn)(i).__x) {}

WARPWRIGHT_HALF_BOTH float __warpwright_widen(WARPWRIGHT_H h) { return WARPWRIGHT_H_NAME(__, 2float)(h); }
WARPWRIGHT_HALF_BOTH void __warpwright_narrow(WARPWRIGHT_H* h, float f) { *h = WARPWRIGHT_H_NAME(__float2, _rn)(f); }

WARPWRIGHT_HALF_BOTH short WARPWRIGHT_H_NAME(__, _as_short)(WARPWRIGHT_H h) { return (short)h.__x; }
WARPWRIGHT_HALF_BOTH unsigned short WARPWRIGHT_H_NAME(__, _as_ushort)(WARPWRIGHT_H h) { return h.__x; }
WARPWRIGHT_HALF_BOTH WARPWRIGHT_H WARPWRIGHT_H_NAME(__short_as_, )(short bits) { return WARPWRIGHT_H::fromBits((unsigned short)bits); }
WARPWRIGHT_HALF_BOTH WARPWRIGHT_H WARPWRIGHT_H_NAME(__ushort_as_, )(unsigned short bits) { return WARPWRIGHT_H::fromBits(bits); }

WARPWRIGHT_HALF_BOTH WARPWRIGHT_H2 WARPWRIGHT_H_NAME(__floats2, 2_rn)(float low, float high) {
  return WARPWRIGHT_H2(WARPWRIGHT_H_NAME(__float2, _rn)(low), WARPWRIGHT_H_NAME(__float2, _rn)(high));
}
WARPWRIGHT_HALF_BOTH WARPWRIGHT_H2 WARPWRIGHT_H_NAME(__float2, 2_rn)(float f) {
  return WARPWRIGHT_H2(WARPWRIGHT_H_NAME(__float2, _rn)(f), WARPWRIGHT_H_NAME(__float2, _rn)(f));
}
WARPWRIGHT_HALF_BOTH float __low2float(WARPWRIGHT_H2 h) { return __warpwright_widen(h.x); }
WARPWRIGHT_HALF_BOTH float __high2float(WARPWRIGHT_H2 h) { return __warpwright_widen(h.y); }
WARPWRIGHT_HALF_BOTH WARPWRIGHT_H2 WARPWRIGHT_H_NAME2(__, 2, 2)(WARPWRIGHT_H h) { return WARPWRIGHT_H2(h, h); }
WARPWRIGHT_HALF_BOTH WARPWRIGHT_H2 WARPWRIGHT_H_NAME(__halves2, 2)(WARPWRIGHT_H low, WARPWRIGHT_H high) { return WARPWRIGHT_H2(low, high); }
WARPWRIGHT_HALF_BOTH WARPWRIGHT_H WARPWRIGHT_H_NAME(__low2, )(WARPWRIGHT_H2 h) { return h.x; }
WARPWRIGHT_HALF_BOTH WARPWRIGHT_H WARPWRIGHT_H_NAME(__high2, )(WARPWRIGHT_H2 h) { return h.y; }
WARPWRIGHT_HALF_BOTH WARPWRIGHT_H2 WARPWRIGHT_H_NAME(__low2, 2)(WARPWRIGHT_H2 h) { return WARPWRIGHT_H2(h.x, h.x); }
WARPWRIGHT_HALF_BOTH WARPWRIGHT_H2 WARPWRIGHT_H_NAME(__high2, 2)(WARPWRIGHT_H2 h) { return WARPWRIGHT_H2(h.y, h.y); }
WARPWRIGHT_HALF_BOTH WARPWRIGHT_H2 WARPWRIGHT_H_NAME(__lows2, 2)(WARPWRIGHT_H2 a, WARPWRIGHT_H2 b) { return WARPWRIGHT_H2(a.x, b.x); }
WARPWRIGHT_HALF_BOTH WARPWRIGHT_H2 WARPWRIGHT_H_NAME(__highs2, 2)(WARPWRIGHT_H2 a, WARPWRIGHT_H2 b) { return WARPWRIGHT_H2(a.y, b.y); }
WARPWRIGHT_HALF_BOTH WARPWRIGHT_H2 __lowhigh2highlow(WARPWRIGHT_H2 h) { return WARPWRIGHT_H2(h.y, h.x); }
#ifdef __CUDA__
WARPWRIGHT_HALF_BOTH float2 WARPWRIGHT_H_NAME(__, 22float2)(WARPWRIGHT_H2 h) {
  return make_float2(WARPWRIGHT_H_NAME(__, 2float)(h.x), WARPWRIGHT_H_NAME(__, 2float)(h.y));
}
WARPWRIGHT_HALF_BOTH WARPWRIGHT_H2 WARPWRIGHT_H_NAME(__float22, 2_rn)(float2 f) { return WARPWRIGHT_H_NAME(__floats2, 2_rn)(f.x, f.y); }
#endif

#undef WARPWRIGHT_H_NAME
#undef WARPWRIGHT_H_NAME2
#undef WARPWRIGHT_H_JOINED
#undef WARPWRIGHT_H_JOINED_TWICE
#undef WARPWRIGHT_H_JOIN
#undef WARPWRIGHT_H_JOIN_TWICE
#undef WARPWRIGHT_H_RAW
#undef WARPWRIGHT_H2_RAW
#undef WARPWRIGHT_H_STEM
