// The warp matrix functions of CUDA (namespace nvcuda::wmma) over the wmma instructions of PTX.
#pragma once
#define __CUDA_MMA_H__

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime.h"

#ifdef __CUDA__

#define WARPWRIGHT_WMMA __attribute__((device, nodebug, convergent)) inline

namespace nvcuda {
namespace wmma {

struct row_major {};
struct col_major {};
struct matrix_a {};
struct matrix_b {};
struct accumulator {};
enum layout_t { mem_row_major, mem_col_major };

namespace precision {
struct tf32 {};
}  // namespace precision

namespace details {

typedef unsigned __attribute__((may_alias)) Word;
typedef unsigned long long __attribute__((may_alias)) DoubleWord;

template <typename T>
struct Storage {
  typedef T type;
};
template <>
struct Storage<precision::tf32> {
  typedef float type;
};

// Elements that one thread holds: an equal share of the matrix, but 16 of an A or B of halves.
template <typename Use, int m, int n, int k, typename T>
struct Share;
template <int m, int n, int k, typename T>
struct Share<matrix_a, m, n, k, T> {
  static constexpr int value = m * k / 32;
};
template <int m, int n, int k, typename T>
struct Share<matrix_b, m, n, k, T> {
  static constexpr int value = k * n / 32;
};
template <int m, int n, int k>
struct Share<matrix_a, m, n, k, __half> {
  static constexpr int value = 16;
};
template <int m, int n, int k>
struct Share<matrix_b, m, n, k, __half> {
  static constexpr int value = 16;
};
template <int m, int n, int k, typename T>
struct Share<accumulator, m, n, k, T> {
  static constexpr int value = m * n / 32;
};

}  // namespace details

template <typename Use, int m, int n, int k, typename T, typename Layout = void>
class fragment {
 public:
  typedef typename details::Storage<T>::type element_type;
  typedef element_type storage_element_type;
  static constexpr int num_elements = details::Share<Use, m, n, k, T>::value;
  static constexpr int num_storage_elements = num_elements;
  alignas(16) element_type x[num_elements];
};

template <typename Use, int m, int n, int k, typename T, typename Layout, typename Value>
WARPWRIGHT_WMMA void fill_fragment(fragment<Use, m, n, k, T, Layout>& f, const Value& value) {
  for (int i = 0; i < f.num_elements; ++i) f.x[i] = value;
}

WARPWRIGHT_WMMA float __float_to_tf32(float value) {
  unsigned bits;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(value));
  return __builtin_bit_cast(float, bits);
}

// Register lists of 1, 2, 4 and 8 words as text, outputs and inputs.
#define WARPWRIGHT_LIST_1(v) "{%[" #v "0]}"
#define WARPWRIGHT_OUT_1(v, c) [v##0] "=" c(v[0])
#define WARPWRIGHT_IN_1(v, c) [v##0] c(v[0])
#define WARPWRIGHT_LIST_2(v) "{%[" #v "0], %[" #v "1]}"
#define WARPWRIGHT_OUT_2(v, c) [v##0] "=" c(v[0]), [v##1] "=" c(v[1])
#define WARPWRIGHT_IN_2(v, c) [v##0] c(v[0]), [v##1] c(v[1])
#define WARPWRIGHT_LIST_4(v) "{%[" #v "0], %[" #v "1], %[" #v "2], %[" #v "3]}"
#define WARPWRIGHT_OUT_4(v, c) [v##0] "=" c(v[0]), [v##1] "=" c(v[1]), [v##2] "=" c(v[2]), [v##3] "=" c(v[3])
#define WARPWRIGHT_IN_4(v, c) [v##0] c(v[0]), [v##1] c(v[1]), [v##2] c(v[2]), [v##3] c(v[3])
#define WARPWRIGHT_LIST_8(v) "{%[" #v "0], %[" #v "1], %[" #v "2], %[" #v "3], %[" #v "4], %[" #v "5], %[" #v "6], %[" #v "7]}"
#define WARPWRIGHT_OUT_8(v, c)                                                                                            \
  [v##0] "=" c(v[0]), [v##1] "=" c(v[1]), [v##2] "=" c(v[2]), [v##3] "=" c(v[3]), [v##4] "=" c(v[4]), [v##5] "=" c(v[5]), \
      [v##6] "=" c(v[6]), [v##7] "=" c(v[7])
#define WARPWRIGHT_IN_8(v, c) \
  [v##0] c(v[0]), [v##1] c(v[1]), [v##2] c(v[2]), [v##3] c(v[3]), [v##4] c(v[4]), [v##5] c(v[5]), [v##6] c(v[6]), [v##7] c(v[7])

#define WARPWRIGHT_WMMA_LOAD(use, m, n, k, T, Layout, Element, text, count, W, c)                               \
  WARPWRIGHT_WMMA void load_matrix_sync(fragment<use, m, n, k, T, Layout>& f, const Element* p, unsigned ldm) { \
    details::W* v = (details::W*)f.x;                                                                           \
    asm volatile("wmma.load." text " " WARPWRIGHT_LIST_##count(v) ", [%[p]], %[ldm];"                           \
                 : WARPWRIGHT_OUT_##count(v, c)                                                                 \
                 : [p] "l"(p), [ldm] "r"(ldm)                                                                   \
                 : "memory");                                                                                   \
  }
#define WARPWRIGHT_WMMA_FACTOR(use, part, m, n, k, T, Element, type, count, W, c)                                              \
  WARPWRIGHT_WMMA_LOAD(use, m, n, k, T, row_major, Element, part ".sync.aligned.row.m" #m "n" #n "k" #k "." type, count, W, c) \
  WARPWRIGHT_WMMA_LOAD(use, m, n, k, T, col_major, Element, part ".sync.aligned.col.m" #m "n" #n "k" #k "." type, count, W, c)

#define WARPWRIGHT_WMMA_SUM(m, n, k, T, type, count, W, c)                                                                       \
  WARPWRIGHT_WMMA void load_matrix_sync(fragment<accumulator, m, n, k, T>& f, const T* p, unsigned ldm, layout_t layout) {       \
    details::W* v = (details::W*)f.x;                                                                                            \
    if (layout == mem_row_major)                                                                                                 \
      asm volatile("wmma.load.c.sync.aligned.row.m" #m "n" #n "k" #k "." type " " WARPWRIGHT_LIST_##count(v) ", [%[p]], %[ldm];" \
                   : WARPWRIGHT_OUT_##count(v, c)                                                                                \
                   : [p] "l"(p), [ldm] "r"(ldm)                                                                                  \
                   : "memory");                                                                                                  \
    else                                                                                                                         \
      asm volatile("wmma.load.c.sync.aligned.col.m" #m "n" #n "k" #k "." type " " WARPWRIGHT_LIST_##count(v) ", [%[p]], %[ldm];" \
                   : WARPWRIGHT_OUT_##count(v, c)                                                                                \
                   : [p] "l"(p), [ldm] "r"(ldm)                                                                                  \
                   : "memory");                                                                                                  \
  }                                                                                                                              \
  WARPWRIGHT_WMMA void store_matrix_sync(T* p, const fragment<accumulator, m, n, k, T>& f, unsigned ldm, layout_t layout) {      \
    const details::W* v = (const details::W*)f.x;                                                                                \
    if (layout == mem_row_major)                                                                                                 \
      asm volatile("wmma.store.d.sync.aligned.row.m" #m "n" #n "k" #k "." type                                                   \
                   " [%[p]], " WARPWRIGHT_LIST_##count(v) ", %[ldm];" ::WARPWRIGHT_IN_##count(v, c),                             \
                   [p] "l"(p), [ldm] "r"(ldm)                                                                                    \
                   : "memory");                                                                                                  \
    else                                                                                                                         \
      asm volatile("wmma.store.d.sync.aligned.col.m" #m "n" #n "k" #k "." type                                                   \
                   " [%[p]], " WARPWRIGHT_LIST_##count(v) ", %[ldm];" ::WARPWRIGHT_IN_##count(v, c),                             \
                   [p] "l"(p), [ldm] "r"(ldm)                                                                                    \
                   : "memory");                                                                                                  \
  }

#define WARPWRIGHT_WMMA_MULTIPLY(m, n, k, T, LayoutA, LayoutB, layouts, Sum, types, countA, countB, count, W, c)                          \
  WARPWRIGHT_WMMA void mma_sync(fragment<accumulator, m, n, k, Sum>& to, const fragment<matrix_a, m, n, k, T, LayoutA>& factorA,          \
                                const fragment<matrix_b, m, n, k, T, LayoutB>& factorB, const fragment<accumulator, m, n, k, Sum>& sum) { \
    details::W* d = (details::W*)to.x;                                                                                                    \
    const details::W *a = (const details::W*)factorA.x, *b = (const details::W*)factorB.x, *s = (const details::W*)sum.x;                 \
    asm volatile("wmma.mma.sync.aligned." layouts ".m" #m "n" #n "k" #k "." types " " WARPWRIGHT_LIST_##count(                            \
                     d) ", " WARPWRIGHT_LIST_##countA(a) ", " WARPWRIGHT_LIST_##countB(b) ", " WARPWRIGHT_LIST_##count(s) ";"             \
                 : WARPWRIGHT_OUT_##count(d, c)                                                                                           \
                 : WARPWRIGHT_IN_##countA(a, c), WARPWRIGHT_IN_##countB(b, c), WARPWRIGHT_IN_##count(s, c));                              \
  }
#define WARPWRIGHT_WMMA_ALL(m, n, k, T, Sum, types, countA, countB, count, W, c)                                 \
  WARPWRIGHT_WMMA_MULTIPLY(m, n, k, T, row_major, row_major, "row.row", Sum, types, countA, countB, count, W, c) \
  WARPWRIGHT_WMMA_MULTIPLY(m, n, k, T, row_major, col_major, "row.col", Sum, types, countA, countB, count, W, c) \
  WARPWRIGHT_WMMA_MULTIPLY(m, n, k, T, col_major, row_major, "col.row", Sum, types, countA, countB, count, W, c) \
  WARPWRIGHT_WMMA_MULTIPLY(m, n, k, T, col_major, col_major, "col.col", Sum, types, countA, countB, count, W, c)

// m, n, k, and the registers of A and B with factors of 16 bits that are no halves.
#define WARPWRIGHT_WMMA_SHAPE(m, n, k, a, b, a8, b8)                                                 \
  WARPWRIGHT_WMMA_FACTOR(matrix_a, "a", m, n, k, __half, __half, "f16", 8, Word, "r")                \
  WARPWRIGHT_WMMA_FACTOR(matrix_b, "b", m, n, k, __half, __half, "f16", 8, Word, "r")                \
  WARPWRIGHT_WMMA_FACTOR(matrix_a, "a", m, n, k, __nv_bfloat16, __nv_bfloat16, "bf16", a, Word, "r") \
  WARPWRIGHT_WMMA_FACTOR(matrix_b, "b", m, n, k, __nv_bfloat16, __nv_bfloat16, "bf16", b, Word, "r") \
  WARPWRIGHT_WMMA_FACTOR(matrix_a, "a", m, n, k, signed char, signed char, "s8", a8, Word, "r")      \
  WARPWRIGHT_WMMA_FACTOR(matrix_b, "b", m, n, k, signed char, signed char, "s8", b8, Word, "r")      \
  WARPWRIGHT_WMMA_FACTOR(matrix_a, "a", m, n, k, unsigned char, unsigned char, "u8", a8, Word, "r")  \
  WARPWRIGHT_WMMA_FACTOR(matrix_b, "b", m, n, k, unsigned char, unsigned char, "u8", b8, Word, "r")  \
  WARPWRIGHT_WMMA_SUM(m, n, k, float, "f32", 8, Word, "r")                                           \
  WARPWRIGHT_WMMA_SUM(m, n, k, __half, "f16", 4, Word, "r")                                          \
  WARPWRIGHT_WMMA_SUM(m, n, k, int, "s32", 8, Word, "r")                                             \
  WARPWRIGHT_WMMA_ALL(m, n, k, __half, float, "f32.f32", 8, 8, 8, Word, "r")                         \
  WARPWRIGHT_WMMA_ALL(m, n, k, __half, __half, "f16.f16", 8, 8, 4, Word, "r")                        \
  WARPWRIGHT_WMMA_ALL(m, n, k, __nv_bfloat16, float, "f32.bf16.bf16.f32", a, b, 8, Word, "r")        \
  WARPWRIGHT_WMMA_ALL(m, n, k, signed char, int, "s32.s8.s8.s32", a8, b8, 8, Word, "r")              \
  WARPWRIGHT_WMMA_ALL(m, n, k, unsigned char, int, "s32.u8.u8.s32", a8, b8, 8, Word, "r")

WARPWRIGHT_WMMA_SHAPE(16, 16, 16, 4, 4, 2, 2)
WARPWRIGHT_WMMA_SHAPE(32, 8, 16, 8, 2, 4, 1)
WARPWRIGHT_WMMA_SHAPE(8, 32, 16, 2, 8, 1, 4)

WARPWRIGHT_WMMA_FACTOR(matrix_a, "a", 16, 16, 8, precision::tf32, float, "tf32", 4, Word, "r")
WARPWRIGHT_WMMA_FACTOR(matrix_b, "b", 16, 16, 8, precision::tf32, float, "tf32", 4, Word, "r")
WARPWRIGHT_WMMA_SUM(16, 16, 8, float, "f32", 8, Word, "r")
WARPWRIGHT_WMMA_ALL(16, 16, 8, precision::tf32, float, "f32.tf32.tf32.f32", 4, 4, 8, Word, "r")

WARPWRIGHT_WMMA_FACTOR(matrix_a, "a", 8, 8, 4, double, double, "f64", 1, DoubleWord, "l")
WARPWRIGHT_WMMA_FACTOR(matrix_b, "b", 8, 8, 4, double, double, "f64", 1, DoubleWord, "l")
WARPWRIGHT_WMMA_SUM(8, 8, 4, double, "f64", 2, DoubleWord, "l")
WARPWRIGHT_WMMA_ALL(8, 8, 4, double, double, "f64.f64.f64.f64", 1, 1, 2, DoubleWord, "l")

#undef WARPWRIGHT_LIST_1
#undef WARPWRIGHT_OUT_1
#undef WARPWRIGHT_IN_1
#undef WARPWRIGHT_LIST_2
#undef WARPWRIGHT_OUT_2
#undef WARPWRIGHT_IN_2
#undef WARPWRIGHT_LIST_4
#undef WARPWRIGHT_OUT_4
#undef WARPWRIGHT_IN_4
#undef WARPWRIGHT_LIST_8
#undef WARPWRIGHT_OUT_8
#undef WARPWRIGHT_IN_8
#undef WARPWRIGHT_WMMA_LOAD
#undef WARPWRIGHT_WMMA_FACTOR
#undef WARPWRIGHT_WMMA_SUM
#undef WARPWRIGHT_WMMA_MULTIPLY
#undef WARPWRIGHT_WMMA_ALL
#undef WARPWRIGHT_WMMA_SHAPE

}  // namespace wmma
}  // namespace nvcuda

#undef WARPWRIGHT_WMMA

#endif  // __CUDA__
