// How the device functions of these headers are declared.
#pragma once

#define WARPWRIGHT_DEVICE static __inline__ __attribute__((always_inline)) __attribute__((device))
