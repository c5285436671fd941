// cudaDeviceProp and device attributes of a machine.
#pragma once

#include <optional>

#include "config/machine.hpp"
#include "driver_types.h"

namespace warpwright::cudart {

cudaDeviceProp propertiesOf(const config::Machine& machine);
// Null for an attribute that does not exist.
std::optional<int> attributeOf(const cudaDeviceProp& properties, cudaDeviceAttr attribute);

}  // namespace warpwright::cudart
