// Atomic functions in the scopes of CUDA: plain (device), _block and _system. PTX: atom; scopes need sm_60, below which the plain
// form, which is at least as strong within one device, takes their place.
#pragma once

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
#define WARPWRIGHT_SCOPED(scope, rest) __nvvm_atom_##scope##rest
#else
#define WARPWRIGHT_SCOPED(scope, rest) __nvvm_atom_##rest
#endif

// One function for each scope. Carrier: what the builtin works on.
#define WARPWRIGHT_ATOMIC(name, Type, Carrier, rest)                                                                             \
  WARPWRIGHT_DEVICE Type name(Type* address, Type value) { return (Type)__nvvm_atom_##rest((Carrier*)address, (Carrier)value); } \
  WARPWRIGHT_DEVICE Type name##_block(Type* address, Type value) {                                                               \
    return (Type)WARPWRIGHT_SCOPED(cta_, rest)((Carrier*)address, (Carrier)value);                                               \
  }                                                                                                                              \
  WARPWRIGHT_DEVICE Type name##_system(Type* address, Type value) {                                                              \
    return (Type)WARPWRIGHT_SCOPED(sys_, rest)((Carrier*)address, (Carrier)value);                                               \
  }

WARPWRIGHT_ATOMIC(atomicAdd, int, int, add_gen_i)
WARPWRIGHT_ATOMIC(atomicAdd, unsigned, int, add_gen_i)
WARPWRIGHT_ATOMIC(atomicAdd, unsigned long long, long long, add_gen_ll)
WARPWRIGHT_ATOMIC(atomicAdd, float, float, add_gen_f)
WARPWRIGHT_ATOMIC(atomicExch, int, int, xchg_gen_i)
WARPWRIGHT_ATOMIC(atomicExch, unsigned, int, xchg_gen_i)
WARPWRIGHT_ATOMIC(atomicExch, unsigned long long, long long, xchg_gen_ll)
WARPWRIGHT_ATOMIC(atomicMin, int, int, min_gen_i)
WARPWRIGHT_ATOMIC(atomicMin, unsigned, unsigned, min_gen_ui)
WARPWRIGHT_ATOMIC(atomicMin, long long, long long, min_gen_ll)
WARPWRIGHT_ATOMIC(atomicMin, unsigned long long, unsigned long long, min_gen_ull)
WARPWRIGHT_ATOMIC(atomicMax, int, int, max_gen_i)
WARPWRIGHT_ATOMIC(atomicMax, unsigned, unsigned, max_gen_ui)
WARPWRIGHT_ATOMIC(atomicMax, long long, long long, max_gen_ll)
WARPWRIGHT_ATOMIC(atomicMax, unsigned long long, unsigned long long, max_gen_ull)
WARPWRIGHT_ATOMIC(atomicInc, unsigned, unsigned, inc_gen_ui)
WARPWRIGHT_ATOMIC(atomicDec, unsigned, unsigned, dec_gen_ui)
WARPWRIGHT_ATOMIC(atomicAnd, int, int, and_gen_i)
WARPWRIGHT_ATOMIC(atomicAnd, unsigned, int, and_gen_i)
WARPWRIGHT_ATOMIC(atomicAnd, unsigned long long, long long, and_gen_ll)
WARPWRIGHT_ATOMIC(atomicOr, int, int, or_gen_i)
WARPWRIGHT_ATOMIC(atomicOr, unsigned, int, or_gen_i)
WARPWRIGHT_ATOMIC(atomicOr, unsigned long long, long long, or_gen_ll)
WARPWRIGHT_ATOMIC(atomicXor, int, int, xor_gen_i)
WARPWRIGHT_ATOMIC(atomicXor, unsigned, int, xor_gen_i)
WARPWRIGHT_ATOMIC(atomicXor, unsigned long long, long long, xor_gen_ll)

#define WARPWRIGHT_ATOMIC_CAS(Type, Carrier, rest)                                                   \
  WARPWRIGHT_DEVICE Type atomicCAS(Type* address, Type compare, Type value) {                        \
    return (Type)__nvvm_atom_##rest((Carrier*)address, (Carrier)compare, (Carrier)value);            \
  }                                                                                                  \
  WARPWRIGHT_DEVICE Type atomicCAS_block(Type* address, Type compare, Type value) {                  \
    return (Type)WARPWRIGHT_SCOPED(cta_, rest)((Carrier*)address, (Carrier)compare, (Carrier)value); \
  }                                                                                                  \
  WARPWRIGHT_DEVICE Type atomicCAS_system(Type* address, Type compare, Type value) {                 \
    return (Type)WARPWRIGHT_SCOPED(sys_, rest)((Carrier*)address, (Carrier)compare, (Carrier)value); \
  }

WARPWRIGHT_ATOMIC_CAS(int, int, cas_gen_i)
WARPWRIGHT_ATOMIC_CAS(unsigned, int, cas_gen_i)
WARPWRIGHT_ATOMIC_CAS(unsigned long long, long long, cas_gen_ll)

// Functions made from the ones above, in each scope.
#define WARPWRIGHT_ATOMIC_DERIVED(scope)                                                                                               \
  WARPWRIGHT_DEVICE int atomicSub##scope(int* address, int value) { return atomicAdd##scope(address, (int)(0u - (unsigned)value)); }   \
  WARPWRIGHT_DEVICE unsigned atomicSub##scope(unsigned* address, unsigned value) { return atomicAdd##scope(address, 0u - value); }     \
  WARPWRIGHT_DEVICE float atomicExch##scope(float* address, float value) {                                                             \
    return __builtin_bit_cast(float, atomicExch##scope((unsigned*)address, __builtin_bit_cast(unsigned, value)));                      \
  }                                                                                                                                    \
  WARPWRIGHT_DEVICE double atomicExch##scope(double* address, double value) {                                                          \
    return __builtin_bit_cast(double, atomicExch##scope((unsigned long long*)address, __builtin_bit_cast(unsigned long long, value))); \
  }                                                                                                                                    \
  /* The 16 bits are exchanged as part of the aligned word around them. */                                                             \
  WARPWRIGHT_DEVICE unsigned short atomicCAS##scope(unsigned short* address, unsigned short compare, unsigned short value) {           \
    unsigned* word = (unsigned*)((size_t)address & ~(size_t)3);                                                                        \
    unsigned shift = ((size_t)address & 2) * 8;                                                                                        \
    for (unsigned seen = *(volatile unsigned*)word;;) {                                                                                \
      unsigned short old = (unsigned short)(seen >> shift);                                                                            \
      if (old != compare) return old;                                                                                                  \
      unsigned wanted = (seen & ~(0xffffu << shift)) | ((unsigned)value << shift);                                                     \
      unsigned found = atomicCAS##scope(word, seen, wanted);                                                                           \
      if (found == seen) return old;                                                                                                   \
      seen = found;                                                                                                                    \
    }                                                                                                                                  \
  }                                                                                                                                    \
  WARPWRIGHT_DEVICE short atomicCAS##scope(short* address, short compare, short value) {                                               \
    return (short)atomicCAS##scope((unsigned short*)address, (unsigned short)compare, (unsigned short)value);                          \
  }
WARPWRIGHT_ATOMIC_DERIVED()
WARPWRIGHT_ATOMIC_DERIVED(_block)
WARPWRIGHT_ATOMIC_DERIVED(_system)

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
WARPWRIGHT_ATOMIC(atomicAdd, double, double, add_gen_d)
#endif

#undef WARPWRIGHT_ATOMIC
#undef WARPWRIGHT_ATOMIC_CAS
#undef WARPWRIGHT_ATOMIC_DERIVED
#undef WARPWRIGHT_SCOPED
