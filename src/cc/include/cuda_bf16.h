// Brain floating point (bf16): types, conversions and arithmetic, on the device and on the host.
#pragma once
#define __CUDA_BF16_H__

#include "warpwright/half/define.h"

#ifdef __CUDA__
#include "cuda_runtime.h"
#endif

#define WARPWRIGHT_H __nv_bfloat16
#define WARPWRIGHT_H2 __nv_bfloat162
#define WARPWRIGHT_H_RAW __nv_bfloat16_raw
#define WARPWRIGHT_H2_RAW __nv_bfloat162_raw
#define WARPWRIGHT_H_STEM bfloat16
#define WARPWRIGHT_H_PTX "bf16"
#define WARPWRIGHT_H_FORMAT __warpwright_half::kBrain
#define WARPWRIGHT_H_INFINITY 0x7f80
#define WARPWRIGHT_H_ONE 0x3f80
#include "warpwright/half/types.h"
#include "warpwright/half/arithmetic.h"

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
