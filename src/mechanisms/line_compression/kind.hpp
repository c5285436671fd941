#pragma once

#include "mechanisms/mechanism.hpp"

namespace warpwright::mechanisms::line_compression {

extern const Kind kLineCompression;

}  // namespace warpwright::mechanisms::line_compression
