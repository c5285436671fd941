// What a mechanism's own structures take of a chip.
#pragma once

#include <string_view>
#include <vector>

#include "energy/machine_arrays.hpp"

namespace warpwright::mechanisms {

struct HardwareNumber {
  std::string_view name;  // "tag_bits"
  double value;
};

struct Hardware {
  std::vector<HardwareNumber> numbers;  // that its paper gives, for these settings
  energy::Arrays arrays;
};

}  // namespace warpwright::mechanisms
