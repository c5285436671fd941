// Integer and bit functions: one or a few PTX instructions each.
#pragma once

WARPWRIGHT_DEVICE int __clz(int x) { return x == 0 ? 32 : __builtin_clz((unsigned)x); }
WARPWRIGHT_DEVICE int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll((unsigned long long)x); }
WARPWRIGHT_DEVICE int __popc(unsigned x) { return __builtin_popcount(x); }
WARPWRIGHT_DEVICE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
WARPWRIGHT_DEVICE int __ffs(int x) { return __builtin_ffs(x); }
WARPWRIGHT_DEVICE int __ffsll(long long x) { return __builtin_ffsll(x); }
WARPWRIGHT_DEVICE unsigned __brev(unsigned x) { return __builtin_bitreverse32(x); }
WARPWRIGHT_DEVICE unsigned long long __brevll(unsigned long long x) { return __builtin_bitreverse64(x); }
WARPWRIGHT_DEVICE unsigned __byte_perm(unsigned low, unsigned high, unsigned selector) { return __nvvm_prmt(low, high, selector); }

WARPWRIGHT_DEVICE unsigned short __nv_bswap16(unsigned short x) { return __builtin_bswap16(x); }
WARPWRIGHT_DEVICE unsigned __nv_bswap32(unsigned x) { return __builtin_bswap32(x); }
WARPWRIGHT_DEVICE unsigned long long __nv_bswap64(unsigned long long x) { return __builtin_bswap64(x); }

WARPWRIGHT_DEVICE int __mul24(int x, int y) { return __nvvm_mul24_i(x, y); }
WARPWRIGHT_DEVICE unsigned __umul24(unsigned x, unsigned y) { return __nvvm_mul24_ui(x, y); }
WARPWRIGHT_DEVICE int mul24(int x, int y) { return __nvvm_mul24_i(x, y); }
WARPWRIGHT_DEVICE unsigned umul24(unsigned x, unsigned y) { return __nvvm_mul24_ui(x, y); }
WARPWRIGHT_DEVICE int __mulhi(int x, int y) { return __nvvm_mulhi_i(x, y); }
WARPWRIGHT_DEVICE unsigned __umulhi(unsigned x, unsigned y) { return __nvvm_mulhi_ui(x, y); }
WARPWRIGHT_DEVICE long long __mul64hi(long long x, long long y) { return __nvvm_mulhi_ll(x, y); }
WARPWRIGHT_DEVICE unsigned long long __umul64hi(unsigned long long x, unsigned long long y) { return __nvvm_mulhi_ull(x, y); }
WARPWRIGHT_DEVICE int mulhi(int x, int y) { return __mulhi(x, y); }
WARPWRIGHT_DEVICE unsigned mulhi(unsigned x, unsigned y) { return __umulhi(x, y); }

WARPWRIGHT_DEVICE unsigned __sad(int x, int y, unsigned sum) { return __nvvm_sad_i(x, y, sum); }
WARPWRIGHT_DEVICE unsigned __usad(unsigned x, unsigned y, unsigned sum) { return __nvvm_sad_ui(x, y, sum); }
WARPWRIGHT_DEVICE int __hadd(int x, int y) { return (x & y) + ((x ^ y) >> 1); }
WARPWRIGHT_DEVICE unsigned __uhadd(unsigned x, unsigned y) { return (x & y) + ((x ^ y) >> 1); }
WARPWRIGHT_DEVICE int __rhadd(int x, int y) { return (x | y) - ((x ^ y) >> 1); }
WARPWRIGHT_DEVICE unsigned __urhadd(unsigned x, unsigned y) { return (x | y) - ((x ^ y) >> 1); }

// Funnel shifts: (high:low) shifted, the shift wrapped at 32 or clamped to it (…c). PTX shf, from sm_32 on; older targets take the
// 64-bit form that LLVM makes of it.
WARPWRIGHT_DEVICE unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
  return (unsigned)((((unsigned long long)high << 32 | low) << (shift & 31)) >> 32);
}
WARPWRIGHT_DEVICE unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  return (unsigned)(((unsigned long long)high << 32 | low) >> (shift & 31));
}
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 320
WARPWRIGHT_DEVICE unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift) {
  unsigned result;
  asm("shf.l.clamp.b32 %0, %1, %2, %3;" : "=r"(result) : "r"(low), "r"(high), "r"(shift));
  return result;
}
WARPWRIGHT_DEVICE unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift) {
  unsigned result;
  asm("shf.r.clamp.b32 %0, %1, %2, %3;" : "=r"(result) : "r"(low), "r"(high), "r"(shift));
  return result;
}
#endif

// Dot products of packed bytes and half-words: dp4a, dp2a (sm_61).
#define WARPWRIGHT_DOT(name, instruction, Sum, A, B)                               \
  WARPWRIGHT_DEVICE Sum name(A a, B b, Sum sum) {                                  \
    Sum result;                                                                    \
    asm(instruction " %0, %1, %2, %3;" : "=r"(result) : "r"(a), "r"(b), "r"(sum)); \
    return result;                                                                 \
  }
#define WARPWRIGHT_DOT_VECTOR(name, Sum, VectorA, VectorB, a4, b4) \
  WARPWRIGHT_DEVICE Sum name(VectorA a, VectorB b, Sum sum) { return name(__builtin_bit_cast(a4, a), __builtin_bit_cast(b4, b), sum); }
WARPWRIGHT_DOT(__dp4a, "dp4a.s32.s32", int, int, int)
WARPWRIGHT_DOT(__dp4a, "dp4a.u32.u32", unsigned, unsigned, unsigned)
WARPWRIGHT_DOT(__dp2a_lo, "dp2a.lo.s32.s32", int, int, int)
WARPWRIGHT_DOT(__dp2a_lo, "dp2a.lo.u32.u32", unsigned, unsigned, unsigned)
WARPWRIGHT_DOT(__dp2a_hi, "dp2a.hi.s32.s32", int, int, int)
WARPWRIGHT_DOT(__dp2a_hi, "dp2a.hi.u32.u32", unsigned, unsigned, unsigned)
WARPWRIGHT_DOT_VECTOR(__dp4a, int, char4, char4, int, int)
WARPWRIGHT_DOT_VECTOR(__dp4a, unsigned, uchar4, uchar4, unsigned, unsigned)
WARPWRIGHT_DOT_VECTOR(__dp2a_lo, int, short2, char4, int, int)
WARPWRIGHT_DOT_VECTOR(__dp2a_lo, unsigned, ushort2, uchar4, unsigned, unsigned)
WARPWRIGHT_DOT_VECTOR(__dp2a_hi, int, short2, char4, int, int)
WARPWRIGHT_DOT_VECTOR(__dp2a_hi, unsigned, ushort2, uchar4, unsigned, unsigned)
#undef WARPWRIGHT_DOT
#undef WARPWRIGHT_DOT_VECTOR
