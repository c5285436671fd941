// Everything that this header of CUDA offers comes with cuda_runtime.h.
#pragma once
#define __COMMON_FUNCTIONS_H__

#include "cuda_runtime.h"
