#pragma once

#include "mechanisms/mechanism.hpp"

namespace warpwright::mechanisms::memory_classes {

extern const Kind kMemoryClasses;

}  // namespace warpwright::mechanisms::memory_classes
