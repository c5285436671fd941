// [mechanism.elastic-mshr] of a machine. How many MSHRs there are, how many loads each takes and how large a normal block is are the
// machine's own l1d.mshrs, l1d.merges_per_mshr and l1d.line_bytes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler/patterns/granularity.hpp"
#include "config/machine.hpp"
#include "config/mechanism.hpp"

namespace warpwright::mechanisms::elastic_mshr {

enum class Choice : u8 { fixed, byPattern, predicted };

struct Settings {
  Choice granularity = Choice::fixed;
  u32 bytes = 256;
  u32 ways = 0;
  bool blocksContinueRows = true;
  compiler::GranularityRules::Skewed skewed = compiler::GranularityRules::Skewed::bytes;
  bool chooseAtWarpTime = false, privateToo = true;
  u32 predictorEntries = 64;
  bool combineStores = false;
  u32 storeEntries = 16;
  u32 storeWait = 128;

  bool operator==(const Settings&) const = default;
};

std::vector<config::MechanismSetting> settingRows();
// What makes the settings impossible in the machine.
std::optional<std::string> problem(const std::any& settings, const config::Machine& machine);

}  // namespace warpwright::mechanisms::elastic_mshr
