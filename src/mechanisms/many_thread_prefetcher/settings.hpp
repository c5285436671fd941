// [mechanism.many-thread-prefetcher] of a machine.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/machine.hpp"
#include "config/mechanism.hpp"
#include "mechanisms/many_thread_prefetcher/adaptive_throttle.hpp"
#include "mechanisms/many_thread_prefetcher/tables.hpp"

namespace warpwright::mechanisms::many_thread_prefetcher {

struct Settings {
  TableSizes tables;
  u32 distance = 1, warpDistance = 1, degree = 1, queue = 16;
  bool throttle = true;
  u32 period = 100'000, firstDegree = 2;
  u32 earlyHighPermille = 20, earlyLowPermille = 10, mergeHighPermille = 150;

  // Without lines to ask for it is not there.
  bool isPresent() const { return degree != 0; }
  ThrottleSettings throttling() const;
};

std::vector<config::MechanismSetting> settingRows();
std::optional<std::string> problem(const std::any& settings, const config::Machine& machine);

}  // namespace warpwright::mechanisms::many_thread_prefetcher
