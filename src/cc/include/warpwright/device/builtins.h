// threadIdx, blockIdx, blockDim, gridDim and warpSize: objects without storage whose members read PTX special registers.
#pragma once

#define WARPWRIGHT_REGISTER(member, function)                      \
  __declspec(property(get = __read_##member)) unsigned int member; \
  static __inline__ __attribute__((always_inline, nodebug, device)) unsigned int __read_##member() { return function(); }

// The members cannot be written and the objects neither copied nor pointed at, as in CUDA.
#define WARPWRIGHT_BUILTIN_VARIABLE(name, registers)                                   \
  struct __warpwright_##name {                                                         \
    WARPWRIGHT_REGISTER(x, registers##_x)                                              \
    WARPWRIGHT_REGISTER(y, registers##_y)                                              \
    WARPWRIGHT_REGISTER(z, registers##_z)                                              \
    __attribute__((device, nodebug)) operator dim3() const { return dim3(x, y, z); }   \
    __attribute__((device, nodebug)) operator uint3() const { return uint3{x, y, z}; } \
    __warpwright_##name() = delete;                                                    \
    __warpwright_##name(const __warpwright_##name&) = delete;                          \
    void operator=(const __warpwright_##name&) const = delete;                         \
    __warpwright_##name* operator&() const = delete;                                   \
  };                                                                                   \
  extern const __attribute__((device, weak)) __warpwright_##name name;

WARPWRIGHT_BUILTIN_VARIABLE(threadIdx, __nvvm_read_ptx_sreg_tid)
WARPWRIGHT_BUILTIN_VARIABLE(blockIdx, __nvvm_read_ptx_sreg_ctaid)
WARPWRIGHT_BUILTIN_VARIABLE(blockDim, __nvvm_read_ptx_sreg_ntid)
WARPWRIGHT_BUILTIN_VARIABLE(gridDim, __nvvm_read_ptx_sreg_nctaid)
#undef WARPWRIGHT_REGISTER
#undef WARPWRIGHT_BUILTIN_VARIABLE

// A constant, as all targets of PTX have 32 lanes; machines with other warps read %WARP_SZ through inline PTX.
__attribute__((device)) const int warpSize = 32;
