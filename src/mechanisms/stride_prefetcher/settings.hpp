// [mechanism.stride-prefetcher] of a machine.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/machine.hpp"
#include "config/mechanism.hpp"

namespace warpwright::mechanisms::stride_prefetcher {

// Whose accesses have a stride together.
enum class Index : u8 { pc, warp, pcAndWarp };

struct Settings {
  Index index = Index::pcAndWarp;
  u32 entries = 512, confidence = 2;
  u32 distance = 1, degree = 1, queue = 16;

  // Without lines to ask for it is not there.
  bool isPresent() const { return degree != 0; }
  bool operator==(const Settings&) const = default;
};

std::vector<config::MechanismSetting> settingRows();
std::optional<std::string> problem(const std::any& settings, const config::Machine& machine);

}  // namespace warpwright::mechanisms::stride_prefetcher
