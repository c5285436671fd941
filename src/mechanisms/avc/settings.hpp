// [mechanism.avc] of a machine.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/machine.hpp"
#include "mechanisms/avc/geometry.hpp"

namespace warpwright::mechanisms::avc {

struct Settings {
  Geometry geometry;
  u32 strideBits = 3;
  u32 extraLatency = 1;
  bool global = false;
  bool shared = false;

  bool isPresent() const { return geometry.bytes != 0; }
  bool operator==(const Settings&) const = default;
};

std::vector<config::MechanismSetting> settingRows();
// What makes the settings impossible in the machine.
std::optional<std::string> problem(const Settings& settings, const config::Machine& machine);

}  // namespace warpwright::mechanisms::avc
