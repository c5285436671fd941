#pragma once

#include "mechanisms/mechanism.hpp"

namespace warpwright::mechanisms::avc {

extern const Kind kAvc;

}  // namespace warpwright::mechanisms::avc
