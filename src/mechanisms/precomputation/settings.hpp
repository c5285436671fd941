// [mechanism.precomputation] of a machine.
#pragma once

#include <string>
#include <vector>

#include "config/mechanism.hpp"

namespace warpwright::mechanisms::precomputation {

struct Settings {
  u32 distance = 2;
  bool direct = false;
  std::string kernels;

  bool operator==(const Settings&) const = default;
};

std::vector<config::MechanismSetting> settingRows();

}  // namespace warpwright::mechanisms::precomputation
