#pragma once

#include "mechanisms/mechanism.hpp"

namespace warpwright::mechanisms::conflict_aware {

extern const Kind kConflictAware;

}  // namespace warpwright::mechanisms::conflict_aware
