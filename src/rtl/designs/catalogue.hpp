// One function a design; designs.cpp lists them.
#pragma once

#include "rtl/design.hpp"

namespace warpwright::rtl {

Design xorMapDesign();
Design samsAtuDesign();
Design samsAguDesign();
Design samsInboundDesign();
Design samsDesign();
Design localStoreDesign();

}  // namespace warpwright::rtl
