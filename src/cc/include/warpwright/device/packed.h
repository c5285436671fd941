// Arithmetic on two halfwords or four bytes packed in a word: the SIMD intrinsics of CUDA's math API (__vadd2 … __vsubus4). GPUs since
// Maxwell have no instructions for most of them, so they are ordinary integer operations here too, whose carries never cross a lane.
#pragma once

// `top` has the top bit of every lane.
template <unsigned top>
struct __warpwright_packed {
  static constexpr unsigned rest = ~top;
  static constexpr int width = top == 0x80808080u ? 8 : 16;
  static constexpr unsigned ones = top >> (width - 1);  // the lowest bit of every lane

  // Lanes of ones where the top bit is set.
  WARPWRIGHT_HOST_DEVICE unsigned spread(unsigned x) {
#ifdef __CUDA_ARCH__
    return __nvvm_prmt(x, 0, width == 8 ? 0xba98 : 0xbb99);  // repeats the sign of the bytes that it names
#else
    return ((x & top) >> (width - 1)) * (top == 0x80808080u ? 0xffu : 0xffffu);
#endif
  }
  WARPWRIGHT_HOST_DEVICE unsigned flags(unsigned x) { return (x & top) >> (width - 1); }
  WARPWRIGHT_HOST_DEVICE unsigned select(unsigned mask, unsigned a, unsigned b) { return (a & mask) | (b & ~mask); }

  WARPWRIGHT_HOST_DEVICE unsigned add(unsigned a, unsigned b) { return ((a & rest) + (b & rest)) ^ ((a ^ b) & top); }
  WARPWRIGHT_HOST_DEVICE unsigned sub(unsigned a, unsigned b) { return ((a | top) - (b & rest)) ^ ((a ^ ~b) & top); }
  WARPWRIGHT_HOST_DEVICE unsigned neg(unsigned a) { return sub(0, a); }

  // Comparisons answer in the top bit of every lane; the other bits mean nothing.
  WARPWRIGHT_HOST_DEVICE unsigned geu(unsigned a, unsigned b) {
    unsigned lower = (a | top) - (b & rest);  // top bit: a >= b but for their top bits
    return (a & ~b) | (~(a ^ b) & lower);
  }
  WARPWRIGHT_HOST_DEVICE unsigned leu(unsigned a, unsigned b) { return geu(b, a); }
  WARPWRIGHT_HOST_DEVICE unsigned gtu(unsigned a, unsigned b) { return ~geu(b, a); }
  WARPWRIGHT_HOST_DEVICE unsigned ltu(unsigned a, unsigned b) { return ~geu(a, b); }
  WARPWRIGHT_HOST_DEVICE unsigned ges(unsigned a, unsigned b) { return geu(a ^ top, b ^ top); }
  WARPWRIGHT_HOST_DEVICE unsigned les(unsigned a, unsigned b) { return ges(b, a); }
  WARPWRIGHT_HOST_DEVICE unsigned gts(unsigned a, unsigned b) { return ~ges(b, a); }
  WARPWRIGHT_HOST_DEVICE unsigned lts(unsigned a, unsigned b) { return ~ges(a, b); }
  WARPWRIGHT_HOST_DEVICE unsigned ne(unsigned a, unsigned b) { return (((a ^ b) & rest) + rest) | (a ^ b); }
  WARPWRIGHT_HOST_DEVICE unsigned eq(unsigned a, unsigned b) { return ~ne(a, b); }

  WARPWRIGHT_HOST_DEVICE unsigned maxu(unsigned a, unsigned b) { return select(spread(geu(a, b)), a, b); }
  WARPWRIGHT_HOST_DEVICE unsigned minu(unsigned a, unsigned b) { return select(spread(geu(a, b)), b, a); }
  WARPWRIGHT_HOST_DEVICE unsigned maxs(unsigned a, unsigned b) { return select(spread(ges(a, b)), a, b); }
  WARPWRIGHT_HOST_DEVICE unsigned mins(unsigned a, unsigned b) { return select(spread(ges(a, b)), b, a); }
  WARPWRIGHT_HOST_DEVICE unsigned relu(unsigned a) { return a & ~spread(a); }

  WARPWRIGHT_HOST_DEVICE unsigned abs(unsigned a) { return sub(a ^ spread(a), spread(a)); }
  // The one value whose magnitude does not fit becomes the greatest that does.
  WARPWRIGHT_HOST_DEVICE unsigned absss(unsigned a) { return abs(a) - flags(abs(a)); }
  WARPWRIGHT_HOST_DEVICE unsigned negss(unsigned a) { return neg(a) - flags(neg(a) & a); }
  WARPWRIGHT_HOST_DEVICE unsigned absdiffu(unsigned a, unsigned b) { return maxu(a, b) - minu(a, b); }
  WARPWRIGHT_HOST_DEVICE unsigned absdiffs(unsigned a, unsigned b) { return sub(maxs(a, b), mins(a, b)); }
  WARPWRIGHT_HOST_DEVICE unsigned total(unsigned a) {
    if (width == 16) return (a & 0xffffu) + (a >> 16);
    unsigned pairs = (a & 0xff00ffu) + ((a >> 8) & 0xff00ffu);
    return (pairs & 0xffffu) + (pairs >> 16);
  }
  WARPWRIGHT_HOST_DEVICE unsigned sadu(unsigned a, unsigned b) { return total(absdiffu(a, b)); }
  WARPWRIGHT_HOST_DEVICE unsigned sads(unsigned a, unsigned b) { return total(absdiffs(a, b)); }

  // The bound that a lane with the sign of `a` is clamped to.
  WARPWRIGHT_HOST_DEVICE unsigned bound(unsigned a) { return rest + flags(a); }
  WARPWRIGHT_HOST_DEVICE unsigned addss(unsigned a, unsigned b) {
    unsigned sum = add(a, b);
    return select(spread(~(a ^ b) & (a ^ sum)), bound(a), sum);
  }
  WARPWRIGHT_HOST_DEVICE unsigned subss(unsigned a, unsigned b) {
    unsigned difference = sub(a, b);
    return select(spread((a ^ b) & (a ^ difference)), bound(a), difference);
  }
  WARPWRIGHT_HOST_DEVICE unsigned addus(unsigned a, unsigned b) {
    unsigned sum = add(a, b);
    return sum | spread((a & b) | ((a | b) & ~sum));
  }
  WARPWRIGHT_HOST_DEVICE unsigned subus(unsigned a, unsigned b) { return sub(a, b) & spread(geu(a, b)); }

  // Averages: haddu rounds down, avgu up, avgs away from zero.
  WARPWRIGHT_HOST_DEVICE unsigned haddu(unsigned a, unsigned b) { return (a & b) + (((a ^ b) & ~ones) >> 1); }
  WARPWRIGHT_HOST_DEVICE unsigned avgu(unsigned a, unsigned b) { return (a | b) - (((a ^ b) & ~ones) >> 1); }
  WARPWRIGHT_HOST_DEVICE unsigned avgs(unsigned a, unsigned b) {
    unsigned down = haddu(a ^ top, b ^ top) ^ top;
    return down + ((a ^ b) & ones & ~flags(down));
  }
};

typedef __warpwright_packed<0x80008000u> __warpwright_packed2;
typedef __warpwright_packed<0x80808080u> __warpwright_packed4;

#define WARPWRIGHT_PACKED_1(name)                                                               \
  WARPWRIGHT_DEVICE unsigned __v##name##2(unsigned a) { return __warpwright_packed2::name(a); } \
  WARPWRIGHT_DEVICE unsigned __v##name##4(unsigned a) { return __warpwright_packed4::name(a); }
#define WARPWRIGHT_PACKED(name)                                                                                \
  WARPWRIGHT_DEVICE unsigned __v##name##2(unsigned a, unsigned b) { return __warpwright_packed2::name(a, b); } \
  WARPWRIGHT_DEVICE unsigned __v##name##4(unsigned a, unsigned b) { return __warpwright_packed4::name(a, b); }
#define WARPWRIGHT_COMPARE_LANES(relation, lanes)                                          \
  WARPWRIGHT_DEVICE unsigned __vcmp##relation##lanes(unsigned a, unsigned b) {             \
    return __warpwright_packed##lanes::spread(__warpwright_packed##lanes::relation(a, b)); \
  }                                                                                        \
  WARPWRIGHT_DEVICE unsigned __vset##relation##lanes(unsigned a, unsigned b) {             \
    return __warpwright_packed##lanes::flags(__warpwright_packed##lanes::relation(a, b));  \
  }
#define WARPWRIGHT_COMPARE(relation) WARPWRIGHT_COMPARE_LANES(relation, 2) WARPWRIGHT_COMPARE_LANES(relation, 4)

WARPWRIGHT_PACKED_1(abs)
WARPWRIGHT_PACKED_1(absss)
WARPWRIGHT_PACKED_1(neg)
WARPWRIGHT_PACKED_1(negss)
WARPWRIGHT_PACKED(add)
WARPWRIGHT_PACKED(addss)
WARPWRIGHT_PACKED(addus)
WARPWRIGHT_PACKED(sub)
WARPWRIGHT_PACKED(subss)
WARPWRIGHT_PACKED(subus)
WARPWRIGHT_PACKED(absdiffs)
WARPWRIGHT_PACKED(absdiffu)
WARPWRIGHT_PACKED(sads)
WARPWRIGHT_PACKED(sadu)
WARPWRIGHT_PACKED(avgs)
WARPWRIGHT_PACKED(avgu)
WARPWRIGHT_PACKED(haddu)
WARPWRIGHT_PACKED(maxs)
WARPWRIGHT_PACKED(maxu)
WARPWRIGHT_PACKED(mins)
WARPWRIGHT_PACKED(minu)
WARPWRIGHT_COMPARE(eq)
WARPWRIGHT_COMPARE(ne)
WARPWRIGHT_COMPARE(ges)
WARPWRIGHT_COMPARE(geu)
WARPWRIGHT_COMPARE(gts)
WARPWRIGHT_COMPARE(gtu)
WARPWRIGHT_COMPARE(les)
WARPWRIGHT_COMPARE(leu)
WARPWRIGHT_COMPARE(lts)
WARPWRIGHT_COMPARE(ltu)

#undef WARPWRIGHT_PACKED_1
#undef WARPWRIGHT_PACKED
#undef WARPWRIGHT_COMPARE_LANES
#undef WARPWRIGHT_COMPARE
