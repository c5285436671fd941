#pragma once

#include "mechanisms/mechanism.hpp"

namespace warpwright::mechanisms::shared_layouts {

extern const Kind kSharedLayouts;

}  // namespace warpwright::mechanisms::shared_layouts
