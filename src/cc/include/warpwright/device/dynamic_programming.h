// CUDA's functions for dynamic programming (__viaddmax_s32 …): sums, minima and maxima of three numbers, of whole words and of packed
// halfwords, on host and device.
#pragma once

// How each type of number adds and compares. Sums wrap.
struct __warpwright_s32 {
  WARPWRIGHT_HOST_DEVICE int add(int a, int b) { return (int)((unsigned)a + (unsigned)b); }
  WARPWRIGHT_HOST_DEVICE int max(int a, int b) { return a > b ? a : b; }
  WARPWRIGHT_HOST_DEVICE int min(int a, int b) { return a < b ? a : b; }
  WARPWRIGHT_HOST_DEVICE int relu(int a) { return max(a, 0); }
};
struct __warpwright_u32 {
  WARPWRIGHT_HOST_DEVICE unsigned add(unsigned a, unsigned b) { return a + b; }
  WARPWRIGHT_HOST_DEVICE unsigned max(unsigned a, unsigned b) { return a > b ? a : b; }
  WARPWRIGHT_HOST_DEVICE unsigned min(unsigned a, unsigned b) { return a < b ? a : b; }
};
struct __warpwright_s16x2 {
  WARPWRIGHT_HOST_DEVICE unsigned add(unsigned a, unsigned b) { return __warpwright_packed2::add(a, b); }
  WARPWRIGHT_HOST_DEVICE unsigned max(unsigned a, unsigned b) { return __warpwright_packed2::maxs(a, b); }
  WARPWRIGHT_HOST_DEVICE unsigned min(unsigned a, unsigned b) { return __warpwright_packed2::mins(a, b); }
  WARPWRIGHT_HOST_DEVICE unsigned relu(unsigned a) { return __warpwright_packed2::relu(a); }
  WARPWRIGHT_HOST_DEVICE unsigned ge(unsigned a, unsigned b) { return __warpwright_packed2::ges(a, b); }
};
struct __warpwright_u16x2 {
  WARPWRIGHT_HOST_DEVICE unsigned add(unsigned a, unsigned b) { return __warpwright_packed2::add(a, b); }
  WARPWRIGHT_HOST_DEVICE unsigned max(unsigned a, unsigned b) { return __warpwright_packed2::maxu(a, b); }
  WARPWRIGHT_HOST_DEVICE unsigned min(unsigned a, unsigned b) { return __warpwright_packed2::minu(a, b); }
  WARPWRIGHT_HOST_DEVICE unsigned ge(unsigned a, unsigned b) { return __warpwright_packed2::geu(a, b); }
};

#define WARPWRIGHT_THREE(suffix, T)                                                                                                       \
  WARPWRIGHT_HOST_DEVICE T __viaddmax_##suffix(T a, T b, T c) { return __warpwright_##suffix::max(__warpwright_##suffix::add(a, b), c); } \
  WARPWRIGHT_HOST_DEVICE T __viaddmin_##suffix(T a, T b, T c) { return __warpwright_##suffix::min(__warpwright_##suffix::add(a, b), c); } \
  WARPWRIGHT_HOST_DEVICE T __vimax3_##suffix(T a, T b, T c) { return __warpwright_##suffix::max(__warpwright_##suffix::max(a, b), c); }   \
  WARPWRIGHT_HOST_DEVICE T __vimin3_##suffix(T a, T b, T c) { return __warpwright_##suffix::min(__warpwright_##suffix::min(a, b), c); }
WARPWRIGHT_THREE(s32, int)
WARPWRIGHT_THREE(u32, unsigned)
WARPWRIGHT_THREE(s16x2, unsigned)
WARPWRIGHT_THREE(u16x2, unsigned)
#undef WARPWRIGHT_THREE

// The same, and nothing below zero.
#define WARPWRIGHT_RELU(suffix, T)                                                                                                         \
  WARPWRIGHT_HOST_DEVICE T __vimax_##suffix##_relu(T a, T b) { return __warpwright_##suffix::relu(__warpwright_##suffix::max(a, b)); }     \
  WARPWRIGHT_HOST_DEVICE T __vimin_##suffix##_relu(T a, T b) { return __warpwright_##suffix::relu(__warpwright_##suffix::min(a, b)); }     \
  WARPWRIGHT_HOST_DEVICE T __viaddmax_##suffix##_relu(T a, T b, T c) { return __warpwright_##suffix::relu(__viaddmax_##suffix(a, b, c)); } \
  WARPWRIGHT_HOST_DEVICE T __viaddmin_##suffix##_relu(T a, T b, T c) { return __warpwright_##suffix::relu(__viaddmin_##suffix(a, b, c)); } \
  WARPWRIGHT_HOST_DEVICE T __vimax3_##suffix##_relu(T a, T b, T c) { return __warpwright_##suffix::relu(__vimax3_##suffix(a, b, c)); }     \
  WARPWRIGHT_HOST_DEVICE T __vimin3_##suffix##_relu(T a, T b, T c) { return __warpwright_##suffix::relu(__vimin3_##suffix(a, b, c)); }
WARPWRIGHT_RELU(s32, int)
WARPWRIGHT_RELU(s16x2, unsigned)
#undef WARPWRIGHT_RELU

// Besides the result, whether it is `a`.
#define WARPWRIGHT_WHICH(suffix, T)                                     \
  WARPWRIGHT_HOST_DEVICE T __vibmax_##suffix(T a, T b, bool* isFirst) { \
    *isFirst = a >= b;                                                  \
    return *isFirst ? a : b;                                            \
  }                                                                     \
  WARPWRIGHT_HOST_DEVICE T __vibmin_##suffix(T a, T b, bool* isFirst) { \
    *isFirst = a <= b;                                                  \
    return *isFirst ? a : b;                                            \
  }
WARPWRIGHT_WHICH(s32, int)
WARPWRIGHT_WHICH(u32, unsigned)
#undef WARPWRIGHT_WHICH

#define WARPWRIGHT_WHICH_HALVES(suffix)                                                                            \
  WARPWRIGHT_HOST_DEVICE unsigned __vibmax_##suffix(unsigned a, unsigned b, bool* highIsFirst, bool* lowIsFirst) { \
    unsigned isFirst = __warpwright_##suffix::ge(a, b);                                                            \
    *highIsFirst = isFirst >> 31, *lowIsFirst = isFirst >> 15 & 1;                                                 \
    return __warpwright_##suffix::max(a, b);                                                                       \
  }                                                                                                                \
  WARPWRIGHT_HOST_DEVICE unsigned __vibmin_##suffix(unsigned a, unsigned b, bool* highIsFirst, bool* lowIsFirst) { \
    unsigned isFirst = __warpwright_##suffix::ge(b, a);                                                            \
    *highIsFirst = isFirst >> 31, *lowIsFirst = isFirst >> 15 & 1;                                                 \
    return __warpwright_##suffix::min(a, b);                                                                       \
  }
WARPWRIGHT_WHICH_HALVES(s16x2)
WARPWRIGHT_WHICH_HALVES(u16x2)
#undef WARPWRIGHT_WHICH_HALVES
