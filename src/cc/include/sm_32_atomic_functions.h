// Everything that this header of CUDA offers comes with cuda_runtime.h.
#pragma once
#define __SM_32_ATOMIC_FUNCTIONS_H__

#include "cuda_runtime.h"
