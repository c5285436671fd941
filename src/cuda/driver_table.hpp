// The table of driver API functions as data, and the reference page made from it.
#pragma once

#include <string>

#include "cudart/api_table.hpp"

namespace warpwright::cuda {

inline constexpr cudart::ApiFunction kDriverFunctions[] = {
#define WW_DRIVER(group, name, since, status, waits, remark) {group, #name, cudart::ApiStatus::status, cudart::Waits::waits, remark},
#include "driver.def"
};

// docs/driver-functions.md.
inline std::string driverPage() {
  return cudart::apiPage({"CUDA driver API functions", "src/cuda/driver.def", "driver-page", "libcuda.so.1", "CUDA_ERROR_NOT_SUPPORTED"},
                         kDriverFunctions);
}

}  // namespace warpwright::cuda
