// How the device functions of these headers are declared. Without debug information a profile charges their instructions to the
// line of the program that calls them, and a fault is reported there.
#pragma once

#define WARPWRIGHT_INLINE __inline__ __attribute__((always_inline, nodebug, device))
#define WARPWRIGHT_DEVICE static WARPWRIGHT_INLINE
// The same for functions that the host may call too.
#define WARPWRIGHT_HOST_DEVICE static __inline__ __attribute__((always_inline, nodebug, host, device))
