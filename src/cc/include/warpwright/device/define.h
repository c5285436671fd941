// How the device functions of these headers are declared. Without debug information a profile charges their instructions to the
// line of the program that calls them, and a fault is reported there.
#pragma once

#define WARPWRIGHT_INLINE __inline__ __attribute__((always_inline, nodebug, device))
#define WARPWRIGHT_DEVICE static WARPWRIGHT_INLINE
// The same for functions that the host may call too.
#define WARPWRIGHT_HOST_DEVICE static __inline__ __attribute__((always_inline, nodebug, host, device))

// Before a parameter that may hold no value: what lanes that are not asked give to a shuffle or a vote. To clang such an argument is
// undefined behaviour otherwise, and it drops the condition under which the value was set. Clang before 16 does not have the attribute;
// the driver switches that analysis off besides.
#if __has_attribute(maybe_undef)
#define WARPWRIGHT_MAYBE_UNDEFINED __attribute__((maybe_undef))
#else
#define WARPWRIGHT_MAYBE_UNDEFINED
#endif
