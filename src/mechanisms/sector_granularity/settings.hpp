// [mechanism.sector-granularity] of a machine.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler/patterns/granularity.hpp"
#include "config/machine.hpp"
#include "config/mechanism.hpp"

namespace warpwright::mechanisms::sector_granularity {

enum class Choice : u8 { byPattern, fixed };

struct Settings {
  Choice granularity = Choice::byPattern;
  u32 bytes = 128;
  bool blocksContinueRows = true;
  compiler::GranularityRules::Skewed skewed = compiler::GranularityRules::Skewed::bytes;
  bool chooseAtWarpTime = false, privateToo = true;

  bool operator==(const Settings&) const = default;
};

std::vector<config::MechanismSetting> settingRows();
// What makes the settings impossible in the machine.
std::optional<std::string> problem(const std::any& settings, const config::Machine& machine);

}  // namespace warpwright::mechanisms::sector_granularity
