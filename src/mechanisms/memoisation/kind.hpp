#pragma once

#include "mechanisms/mechanism.hpp"

namespace warpwright::mechanisms::memoisation {

extern const Kind kMemoisation;

}  // namespace warpwright::mechanisms::memoisation
