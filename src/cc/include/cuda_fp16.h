// Half precision (f16): types, conversions and arithmetic, on the device and on the host.
#pragma once
#define __CUDA_FP16_H__

#include "warpwright/half/define.h"

#ifdef __CUDA__
#include "cuda_runtime.h"
#endif

#define WARPWRIGHT_H __half
#define WARPWRIGHT_H2 __half2
#define WARPWRIGHT_H_RAW __half_raw
#define WARPWRIGHT_H2_RAW __half2_raw
#define WARPWRIGHT_H_STEM half
#define WARPWRIGHT_H_PTX "f16"
#define WARPWRIGHT_H_FORMAT __warpwright_half::kHalf
#define WARPWRIGHT_H_INFINITY 0x7c00
#define WARPWRIGHT_H_ONE 0x3c00
#include "warpwright/half/types.h"
#include "warpwright/half/arithmetic.h"

typedef __half half;
typedef __half2 half2;
