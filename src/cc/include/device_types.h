// Everything that this header of CUDA offers comes with cuda_runtime.h.
#pragma once
#define __DEVICE_TYPES_H__

#include "cuda_runtime.h"
