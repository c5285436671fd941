// Everything that this header of CUDA offers comes with cuda_runtime.h.
#pragma once
#define __SM_30_INTRINSICS_H__

#include "cuda_runtime.h"
