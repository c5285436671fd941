// [mechanism.assist-warps] of a machine.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/machine.hpp"
#include "config/mechanism.hpp"

namespace warpwright::mechanisms::assist_warps {

struct Settings {
  std::string routines, only;
  u32 storeInstructions = 1024, mapEntries = 64, entries = 48, lowEntries = 2, warpEntries = 2;
  u32 width = 2, moveLatency = 1, mapLatency = 28000, pageBytes = 4096;
  u32 mostLive = 48, window = 256, busyPercent = 90, unitPercent = 90, idlePercent = 0;

  bool operator==(const Settings&) const = default;
};

std::vector<config::MechanismSetting> settingRows();
// The parts of a setting that lists files or names, separated by commas.
std::vector<std::string> listed(const std::string& setting);
// What makes the settings impossible in the machine.
std::optional<std::string> problem(const std::any& settings, const config::Machine& machine);

}  // namespace warpwright::mechanisms::assist_warps
