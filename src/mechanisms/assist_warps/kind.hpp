#pragma once

#include "mechanisms/mechanism.hpp"

namespace warpwright::mechanisms::assist_warps {

extern const Kind kAssistWarps;

}  // namespace warpwright::mechanisms::assist_warps
