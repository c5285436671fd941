// Everything that this header of CUDA offers comes with cuda_runtime.h.
#pragma once
#define __VECTOR_FUNCTIONS_HPP__

#include "cuda_runtime.h"
