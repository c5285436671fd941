// Shuffles, votes, matches and reductions within a warp. PTX: shfl(.sync), vote(.sync), match.sync, redux.sync, activemask.
#pragma once

#define WARPWRIGHT_WARP WARPWRIGHT_DEVICE __attribute__((convergent))

// The third operand of shfl: the lane clamp in bits 0-4 and, from bit 8, the mask that cuts the warp into segments of `width` lanes.
WARPWRIGHT_DEVICE unsigned __warpwright_segments(int width, unsigned clamp) { return ((32u - width) << 8) | clamp; }

#define WARPWRIGHT_SHUFFLE(name, builtin, legacyBuiltin, clamp, Index)                                                            \
  WARPWRIGHT_WARP int name##_sync(unsigned mask, WARPWRIGHT_MAYBE_UNDEFINED int value, Index index, int width = 32) {             \
    return builtin(mask, value, index, __warpwright_segments(width, clamp));                                                      \
  }                                                                                                                               \
  WARPWRIGHT_WARP int name(WARPWRIGHT_MAYBE_UNDEFINED int value, Index index, int width = 32) {                                   \
    return legacyBuiltin(value, index, __warpwright_segments(width, clamp));                                                      \
  }                                                                                                                               \
  WARPWRIGHT_WARP unsigned name##_sync(unsigned mask, WARPWRIGHT_MAYBE_UNDEFINED unsigned value, Index index, int width = 32) {   \
    return (unsigned)name##_sync(mask, (int)value, index, width);                                                                 \
  }                                                                                                                               \
  WARPWRIGHT_WARP unsigned name(WARPWRIGHT_MAYBE_UNDEFINED unsigned value, Index index, int width = 32) {                         \
    return (unsigned)name((int)value, index, width);                                                                              \
  }                                                                                                                               \
  WARPWRIGHT_WARP float name##_sync(unsigned mask, WARPWRIGHT_MAYBE_UNDEFINED float value, Index index, int width = 32) {         \
    return __builtin_bit_cast(float, name##_sync(mask, __builtin_bit_cast(int, value), index, width));                            \
  }                                                                                                                               \
  WARPWRIGHT_WARP float name(WARPWRIGHT_MAYBE_UNDEFINED float value, Index index, int width = 32) {                               \
    return __builtin_bit_cast(float, name(__builtin_bit_cast(int, value), index, width));                                         \
  }                                                                                                                               \
  WARPWRIGHT_WARP unsigned long long name##_sync(unsigned mask, WARPWRIGHT_MAYBE_UNDEFINED unsigned long long value, Index index, \
                                                 int width = 32) {                                                                \
    unsigned low = name##_sync(mask, (unsigned)value, index, width);                                                              \
    unsigned high = name##_sync(mask, (unsigned)(value >> 32), index, width);                                                     \
    return (unsigned long long)high << 32 | low;                                                                                  \
  }                                                                                                                               \
  WARPWRIGHT_WARP unsigned long long name(WARPWRIGHT_MAYBE_UNDEFINED unsigned long long value, Index index, int width = 32) {     \
    unsigned low = name((unsigned)value, index, width);                                                                           \
    unsigned high = name((unsigned)(value >> 32), index, width);                                                                  \
    return (unsigned long long)high << 32 | low;                                                                                  \
  }                                                                                                                               \
  WARPWRIGHT_SHUFFLE_AS(name, Index, long long, unsigned long long)                                                               \
  WARPWRIGHT_SHUFFLE_AS(name, Index, long, __warpwright_ulong_carrier)                                                            \
  WARPWRIGHT_SHUFFLE_AS(name, Index, unsigned long, __warpwright_ulong_carrier)                                                   \
  WARPWRIGHT_SHUFFLE_AS(name, Index, double, unsigned long long)

#define WARPWRIGHT_SHUFFLE_AS(name, Index, Type, Carrier)                                                               \
  WARPWRIGHT_WARP Type name##_sync(unsigned mask, WARPWRIGHT_MAYBE_UNDEFINED Type value, Index index, int width = 32) { \
    return __builtin_bit_cast(Type, name##_sync(mask, __builtin_bit_cast(Carrier, value), index, width));               \
  }                                                                                                                     \
  WARPWRIGHT_WARP Type name(WARPWRIGHT_MAYBE_UNDEFINED Type value, Index index, int width = 32) {                       \
    return __builtin_bit_cast(Type, name(__builtin_bit_cast(Carrier, value), index, width));                            \
  }

// long has 4 bytes on a device with 32-bit addresses.
template <int bytes>
struct __warpwright_carrier {
  typedef unsigned long long type;
};
template <>
struct __warpwright_carrier<4> {
  typedef unsigned type;
};
typedef __warpwright_carrier<sizeof(long)>::type __warpwright_ulong_carrier;

WARPWRIGHT_SHUFFLE(__shfl, __nvvm_shfl_sync_idx_i32, __nvvm_shfl_idx_i32, 0x1f, int)
// up clamps at the segment's first lane, so its clamp is 0.
WARPWRIGHT_SHUFFLE(__shfl_up, __nvvm_shfl_sync_up_i32, __nvvm_shfl_up_i32, 0, unsigned)
WARPWRIGHT_SHUFFLE(__shfl_down, __nvvm_shfl_sync_down_i32, __nvvm_shfl_down_i32, 0x1f, unsigned)
WARPWRIGHT_SHUFFLE(__shfl_xor, __nvvm_shfl_sync_bfly_i32, __nvvm_shfl_bfly_i32, 0x1f, int)
#undef WARPWRIGHT_SHUFFLE
#undef WARPWRIGHT_SHUFFLE_AS

WARPWRIGHT_WARP int __all_sync(unsigned mask, WARPWRIGHT_MAYBE_UNDEFINED int predicate) { return __nvvm_vote_all_sync(mask, predicate); }
WARPWRIGHT_WARP int __any_sync(unsigned mask, WARPWRIGHT_MAYBE_UNDEFINED int predicate) { return __nvvm_vote_any_sync(mask, predicate); }
WARPWRIGHT_WARP int __uni_sync(unsigned mask, WARPWRIGHT_MAYBE_UNDEFINED int predicate) { return __nvvm_vote_uni_sync(mask, predicate); }
WARPWRIGHT_WARP unsigned __ballot_sync(unsigned mask, WARPWRIGHT_MAYBE_UNDEFINED int predicate) {
  return __nvvm_vote_ballot_sync(mask, predicate);
}
WARPWRIGHT_WARP int __all(WARPWRIGHT_MAYBE_UNDEFINED int predicate) { return __nvvm_vote_all(predicate); }
WARPWRIGHT_WARP int __any(WARPWRIGHT_MAYBE_UNDEFINED int predicate) { return __nvvm_vote_any(predicate); }
WARPWRIGHT_WARP unsigned __ballot(WARPWRIGHT_MAYBE_UNDEFINED int predicate) { return __nvvm_vote_ballot(predicate); }
WARPWRIGHT_WARP unsigned __activemask() {
  unsigned mask;
  asm volatile("activemask.b32 %0;" : "=r"(mask));
  return mask;
}

// The position of the |offset|-th set bit of the mask from bit `base` on, upwards for a positive offset, downwards for a negative
// one, bit `base` itself for 0 if it is set; all ones if there is none.
WARPWRIGHT_DEVICE unsigned __fns(unsigned mask, unsigned base, int offset) {
  unsigned above = offset < 0 ? __builtin_bitreverse32(mask) >> (31 - base) : mask >> base;
  unsigned rest = offset == 0 ? above & 1u : above;
  for (int left = (offset < 0 ? -offset : offset) - 1; left > 0; --left) rest &= rest - 1;
  if (rest == 0) return 0xffffffffu;
  unsigned distance = (unsigned)__builtin_ctz(rest);
  return offset < 0 ? base - distance : base + distance;
}

// Inline PTX, as LLVM 14 gives the 64-bit forms a result of the wrong width.
#define WARPWRIGHT_MATCH(Type, Carrier, ptx, constraint)                                                                          \
  WARPWRIGHT_WARP unsigned __match_any_sync(unsigned mask, WARPWRIGHT_MAYBE_UNDEFINED Type value) {                               \
    unsigned lanes;                                                                                                               \
    asm volatile("match.any.sync." ptx " %0, %1, %2;" : "=r"(lanes) : constraint(__builtin_bit_cast(Carrier, value)), "r"(mask)); \
    return lanes;                                                                                                                 \
  }                                                                                                                               \
  WARPWRIGHT_WARP unsigned __match_all_sync(unsigned mask, WARPWRIGHT_MAYBE_UNDEFINED Type value, int* predicate) {               \
    unsigned lanes;                                                                                                               \
    int same;                                                                                                                     \
    asm volatile("{ .reg .pred p; match.all.sync." ptx " %0|p, %2, %3; selp.s32 %1, 1, 0, p; }"                                   \
                 : "=r"(lanes), "=r"(same)                                                                                        \
                 : constraint(__builtin_bit_cast(Carrier, value)), "r"(mask));                                                    \
    *predicate = same;                                                                                                            \
    return lanes;                                                                                                                 \
  }
WARPWRIGHT_MATCH(int, unsigned, "b32", "r")
WARPWRIGHT_MATCH(unsigned, unsigned, "b32", "r")
WARPWRIGHT_MATCH(float, unsigned, "b32", "r")
WARPWRIGHT_MATCH(long long, unsigned long long, "b64", "l")
WARPWRIGHT_MATCH(unsigned long long, unsigned long long, "b64", "l")
WARPWRIGHT_MATCH(double, unsigned long long, "b64", "l")
#undef WARPWRIGHT_MATCH
WARPWRIGHT_WARP unsigned __match_any_sync(unsigned mask, WARPWRIGHT_MAYBE_UNDEFINED long value) {
  return __match_any_sync(mask, (long long)value);
}
WARPWRIGHT_WARP unsigned __match_any_sync(unsigned mask, WARPWRIGHT_MAYBE_UNDEFINED unsigned long value) {
  return __match_any_sync(mask, (unsigned long long)value);
}
WARPWRIGHT_WARP unsigned __match_all_sync(unsigned mask, WARPWRIGHT_MAYBE_UNDEFINED long value, int* predicate) {
  return __match_all_sync(mask, (long long)value, predicate);
}
WARPWRIGHT_WARP unsigned __match_all_sync(unsigned mask, WARPWRIGHT_MAYBE_UNDEFINED unsigned long value, int* predicate) {
  return __match_all_sync(mask, (unsigned long long)value, predicate);
}

// redux.sync: sm_80 and later.
WARPWRIGHT_WARP unsigned __reduce_add_sync(unsigned mask, WARPWRIGHT_MAYBE_UNDEFINED unsigned value) {
  return __nvvm_redux_sync_add(value, mask);
}
WARPWRIGHT_WARP int __reduce_add_sync(unsigned mask, WARPWRIGHT_MAYBE_UNDEFINED int value) { return __nvvm_redux_sync_add(value, mask); }
WARPWRIGHT_WARP unsigned __reduce_min_sync(unsigned mask, WARPWRIGHT_MAYBE_UNDEFINED unsigned value) {
  return __nvvm_redux_sync_umin(value, mask);
}
WARPWRIGHT_WARP int __reduce_min_sync(unsigned mask, WARPWRIGHT_MAYBE_UNDEFINED int value) { return __nvvm_redux_sync_min(value, mask); }
WARPWRIGHT_WARP unsigned __reduce_max_sync(unsigned mask, WARPWRIGHT_MAYBE_UNDEFINED unsigned value) {
  return __nvvm_redux_sync_umax(value, mask);
}
WARPWRIGHT_WARP int __reduce_max_sync(unsigned mask, WARPWRIGHT_MAYBE_UNDEFINED int value) { return __nvvm_redux_sync_max(value, mask); }
WARPWRIGHT_WARP unsigned __reduce_and_sync(unsigned mask, WARPWRIGHT_MAYBE_UNDEFINED unsigned value) {
  return __nvvm_redux_sync_and(value, mask);
}
WARPWRIGHT_WARP unsigned __reduce_or_sync(unsigned mask, WARPWRIGHT_MAYBE_UNDEFINED unsigned value) {
  return __nvvm_redux_sync_or(value, mask);
}
WARPWRIGHT_WARP unsigned __reduce_xor_sync(unsigned mask, WARPWRIGHT_MAYBE_UNDEFINED unsigned value) {
  return __nvvm_redux_sync_xor(value, mask);
}
#undef WARPWRIGHT_WARP
