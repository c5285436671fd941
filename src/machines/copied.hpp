// Bytes of device memory that a copy from the host has written.
#pragma once

#include "base/types.hpp"

namespace warpwright::machines {

struct Copied {
  GlobalAddress address;
  u64 bytes = 0;
};

}  // namespace warpwright::machines
