// Loads and stores with a cache operator, and address spaces. PTX: ld.global.nc, ld/st with .ca .cg .cs .cv .wb .wt, isspacep, cvta.
#pragma once

// One instruction for each access width; vectors take the v2 and v4 forms.
#define WARPWRIGHT_CACHE_1(Type, Word, ptx, constraint)                   \
  WARPWRIGHT_LOAD_1(__ldg, "ld.global.nc", Type, Word, ptx, constraint)   \
  WARPWRIGHT_LOAD_1(__ldca, "ld.global.ca", Type, Word, ptx, constraint)  \
  WARPWRIGHT_LOAD_1(__ldcg, "ld.global.cg", Type, Word, ptx, constraint)  \
  WARPWRIGHT_LOAD_1(__ldcs, "ld.global.cs", Type, Word, ptx, constraint)  \
  WARPWRIGHT_LOAD_1(__ldlu, "ld.global.lu", Type, Word, ptx, constraint)  \
  WARPWRIGHT_LOAD_1(__ldcv, "ld.global.cv", Type, Word, ptx, constraint)  \
  WARPWRIGHT_STORE_1(__stwb, "st.global.wb", Type, Word, ptx, constraint) \
  WARPWRIGHT_STORE_1(__stcg, "st.global.cg", Type, Word, ptx, constraint) \
  WARPWRIGHT_STORE_1(__stcs, "st.global.cs", Type, Word, ptx, constraint) \
  WARPWRIGHT_STORE_1(__stwt, "st.global.wt", Type, Word, ptx, constraint)

#define WARPWRIGHT_LOAD_1(name, op, Type, Word, ptx, constraint)                                                                      \
  WARPWRIGHT_DEVICE Type name(const Type* address) {                                                                                  \
    Word value;                                                                                                                       \
    asm volatile(op "." ptx " %0, [%1];" : "=" constraint(value) : WARPWRIGHT_ADDRESS(__cvta_generic_to_global(address)) : "memory"); \
    return (Type)value;                                                                                                               \
  }
#define WARPWRIGHT_STORE_1(name, op, Type, Word, ptx, constraint)                                                                      \
  WARPWRIGHT_DEVICE void name(Type* address, Type value) {                                                                             \
    asm volatile(op "." ptx " [%0], %1;" ::WARPWRIGHT_ADDRESS(__cvta_generic_to_global(address)), constraint((Word)value) : "memory"); \
  }

#define WARPWRIGHT_CACHE_2(Type, Word, ptx, constraint)                   \
  WARPWRIGHT_LOAD_2(__ldg, "ld.global.nc", Type, Word, ptx, constraint)   \
  WARPWRIGHT_LOAD_2(__ldca, "ld.global.ca", Type, Word, ptx, constraint)  \
  WARPWRIGHT_LOAD_2(__ldcg, "ld.global.cg", Type, Word, ptx, constraint)  \
  WARPWRIGHT_LOAD_2(__ldcs, "ld.global.cs", Type, Word, ptx, constraint)  \
  WARPWRIGHT_LOAD_2(__ldlu, "ld.global.lu", Type, Word, ptx, constraint)  \
  WARPWRIGHT_LOAD_2(__ldcv, "ld.global.cv", Type, Word, ptx, constraint)  \
  WARPWRIGHT_STORE_2(__stwb, "st.global.wb", Type, Word, ptx, constraint) \
  WARPWRIGHT_STORE_2(__stcg, "st.global.cg", Type, Word, ptx, constraint) \
  WARPWRIGHT_STORE_2(__stcs, "st.global.cs", Type, Word, ptx, constraint) \
  WARPWRIGHT_STORE_2(__stwt, "st.global.wt", Type, Word, ptx, constraint)

#define WARPWRIGHT_LOAD_2(name, op, Type, Word, ptx, constraint)         \
  WARPWRIGHT_DEVICE Type name(const Type* address) {                     \
    Word x, y;                                                           \
    asm volatile(op ".v2." ptx " {%0, %1}, [%2];"                        \
                 : "=" constraint(x), "=" constraint(y)                  \
                 : WARPWRIGHT_ADDRESS(__cvta_generic_to_global(address)) \
                 : "memory");                                            \
    Type value;                                                          \
    value.x = x, value.y = y;                                            \
    return value;                                                        \
  }
#define WARPWRIGHT_STORE_2(name, op, Type, Word, ptx, constraint)                                                                     \
  WARPWRIGHT_DEVICE void name(Type* address, Type value) {                                                                            \
    asm volatile(op ".v2." ptx " [%0], {%1, %2};" ::WARPWRIGHT_ADDRESS(__cvta_generic_to_global(address)), constraint((Word)value.x), \
                 constraint((Word)value.y)                                                                                            \
                 : "memory");                                                                                                         \
  }

#define WARPWRIGHT_CACHE_4(Type, Word, ptx, constraint)                   \
  WARPWRIGHT_LOAD_4(__ldg, "ld.global.nc", Type, Word, ptx, constraint)   \
  WARPWRIGHT_LOAD_4(__ldca, "ld.global.ca", Type, Word, ptx, constraint)  \
  WARPWRIGHT_LOAD_4(__ldcg, "ld.global.cg", Type, Word, ptx, constraint)  \
  WARPWRIGHT_LOAD_4(__ldcs, "ld.global.cs", Type, Word, ptx, constraint)  \
  WARPWRIGHT_LOAD_4(__ldlu, "ld.global.lu", Type, Word, ptx, constraint)  \
  WARPWRIGHT_LOAD_4(__ldcv, "ld.global.cv", Type, Word, ptx, constraint)  \
  WARPWRIGHT_STORE_4(__stwb, "st.global.wb", Type, Word, ptx, constraint) \
  WARPWRIGHT_STORE_4(__stcg, "st.global.cg", Type, Word, ptx, constraint) \
  WARPWRIGHT_STORE_4(__stcs, "st.global.cs", Type, Word, ptx, constraint) \
  WARPWRIGHT_STORE_4(__stwt, "st.global.wt", Type, Word, ptx, constraint)

#define WARPWRIGHT_LOAD_4(name, op, Type, Word, ptx, constraint)                              \
  WARPWRIGHT_DEVICE Type name(const Type* address) {                                          \
    Word x, y, z, w;                                                                          \
    asm volatile(op ".v4." ptx " {%0, %1, %2, %3}, [%4];"                                     \
                 : "=" constraint(x), "=" constraint(y), "=" constraint(z), "=" constraint(w) \
                 : WARPWRIGHT_ADDRESS(__cvta_generic_to_global(address))                      \
                 : "memory");                                                                 \
    Type value;                                                                               \
    value.x = x, value.y = y, value.z = z, value.w = w;                                       \
    return value;                                                                             \
  }
#define WARPWRIGHT_STORE_4(name, op, Type, Word, ptx, constraint)                                                           \
  WARPWRIGHT_DEVICE void name(Type* address, Type value) {                                                                  \
    asm volatile(op ".v4." ptx " [%0], {%1, %2, %3, %4};" ::WARPWRIGHT_ADDRESS(__cvta_generic_to_global(address)),          \
                 constraint((Word)value.x), constraint((Word)value.y), constraint((Word)value.z), constraint((Word)value.w) \
                 : "memory");                                                                                               \
  }

WARPWRIGHT_DEVICE unsigned __isGlobal(const void* address) { return __nvvm_isspacep_global(address); }
WARPWRIGHT_DEVICE unsigned __isShared(const void* address) { return __nvvm_isspacep_shared(address); }
WARPWRIGHT_DEVICE unsigned __isConstant(const void* address) { return __nvvm_isspacep_const(address); }
WARPWRIGHT_DEVICE unsigned __isLocal(const void* address) { return __nvvm_isspacep_local(address); }

// Addresses within a space. LLVM's address spaces of NVPTX: 1 global, 3 shared, 4 constant, 5 local. The host has no such spaces.
#ifdef __CUDA_ARCH__
#define WARPWRIGHT_CVTA(space, number)                                          \
  WARPWRIGHT_DEVICE size_t __cvta_generic_to_##space(const void* address) {     \
    return (size_t)(const __attribute__((address_space(number))) void*)address; \
  }                                                                             \
  WARPWRIGHT_DEVICE void* __cvta_##space##_to_generic(size_t raw) { return (void*)(__attribute__((address_space(number))) void*)raw; }
#else
#define WARPWRIGHT_CVTA(space, number)                                                                \
  WARPWRIGHT_DEVICE size_t __cvta_generic_to_##space(const void* address) { return (size_t)address; } \
  WARPWRIGHT_DEVICE void* __cvta_##space##_to_generic(size_t raw) { return (void*)raw; }
#endif
WARPWRIGHT_CVTA(global, 1)
WARPWRIGHT_CVTA(shared, 3)
WARPWRIGHT_CVTA(constant, 4)
WARPWRIGHT_CVTA(local, 5)

// The register class of an address in inline PTX; the host pass only checks the syntax.
#if defined(__CUDA_ARCH__) && __SIZEOF_POINTER__ == 8
#define WARPWRIGHT_ADDRESS "l"
#else
#define WARPWRIGHT_ADDRESS "r"
#endif

WARPWRIGHT_CACHE_1(char, short, "s8", "h")
WARPWRIGHT_CACHE_1(signed char, short, "s8", "h")
WARPWRIGHT_CACHE_1(unsigned char, unsigned short, "u8", "h")
WARPWRIGHT_CACHE_1(short, short, "s16", "h")
WARPWRIGHT_CACHE_1(unsigned short, unsigned short, "u16", "h")
WARPWRIGHT_CACHE_1(int, int, "s32", "r")
WARPWRIGHT_CACHE_1(unsigned, unsigned, "u32", "r")
WARPWRIGHT_CACHE_1(long long, long long, "s64", "l")
WARPWRIGHT_CACHE_1(unsigned long long, unsigned long long, "u64", "l")
#if __SIZEOF_LONG__ == 8
WARPWRIGHT_CACHE_1(long, long, "s64", "l")
WARPWRIGHT_CACHE_1(unsigned long, unsigned long, "u64", "l")
#else
WARPWRIGHT_CACHE_1(long, long, "s32", "r")
WARPWRIGHT_CACHE_1(unsigned long, unsigned long, "u32", "r")
#endif
WARPWRIGHT_CACHE_1(float, float, "f32", "f")
WARPWRIGHT_CACHE_1(double, double, "f64", "d")
WARPWRIGHT_CACHE_2(char2, short, "s8", "h")
WARPWRIGHT_CACHE_2(uchar2, unsigned short, "u8", "h")
WARPWRIGHT_CACHE_2(short2, short, "s16", "h")
WARPWRIGHT_CACHE_2(ushort2, unsigned short, "u16", "h")
WARPWRIGHT_CACHE_2(int2, int, "s32", "r")
WARPWRIGHT_CACHE_2(uint2, unsigned, "u32", "r")
WARPWRIGHT_CACHE_2(longlong2, long long, "s64", "l")
WARPWRIGHT_CACHE_2(ulonglong2, unsigned long long, "u64", "l")
WARPWRIGHT_CACHE_2(float2, float, "f32", "f")
WARPWRIGHT_CACHE_2(double2, double, "f64", "d")
WARPWRIGHT_CACHE_4(char4, short, "s8", "h")
WARPWRIGHT_CACHE_4(uchar4, unsigned short, "u8", "h")
WARPWRIGHT_CACHE_4(short4, short, "s16", "h")
WARPWRIGHT_CACHE_4(ushort4, unsigned short, "u16", "h")
WARPWRIGHT_CACHE_4(int4, int, "s32", "r")
WARPWRIGHT_CACHE_4(uint4, unsigned, "u32", "r")
WARPWRIGHT_CACHE_4(float4, float, "f32", "f")

#undef WARPWRIGHT_CACHE_1
#undef WARPWRIGHT_CACHE_2
#undef WARPWRIGHT_CACHE_4
#undef WARPWRIGHT_LOAD_1
#undef WARPWRIGHT_LOAD_2
#undef WARPWRIGHT_LOAD_4
#undef WARPWRIGHT_STORE_1
#undef WARPWRIGHT_STORE_2
#undef WARPWRIGHT_STORE_4
#undef WARPWRIGHT_CVTA
#undef WARPWRIGHT_ADDRESS
