// cudaDeviceProp and device attributes of a machine.
#pragma once

#include <optional>

#include "config/machine.hpp"
#include "driver_types.h"

namespace warpwright::cudart {

// Of the device of that ordinal, which its UUID and its place on the bus tell apart from others of the same machine.
cudaDeviceProp propertiesOf(const config::Machine& machine, u32 ordinal);
// Null for an attribute that does not exist.
std::optional<int> attributeOf(const cudaDeviceProp& properties, cudaDeviceAttr attribute);

}  // namespace warpwright::cudart
