// The toolkit's header of this name computes occupancy on the host. Programs ask the API instead
// (cudaOccupancyMaxActiveBlocksPerMultiprocessor), which knows the simulated machine; libraries that include it for that find here what
// they use.
#pragma once

#include "cuda_runtime_api.h"
