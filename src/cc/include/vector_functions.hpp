// Everything that this header of CUDA offers comes with cuda_runtime.h.
#pragma once

#include "cuda_runtime.h"
