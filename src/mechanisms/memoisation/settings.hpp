// [mechanism.memoisation] of a machine.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler/regions/region.hpp"
#include "config/machine.hpp"
#include "config/mechanism.hpp"

namespace warpwright::mechanisms::memoisation {

enum class Tags : u8 { full, hashed };
enum class Replacement : u8 { newest, first };

struct Settings {
  bool found = true;
  u32 leastWork = 64;
  std::string lines, kernels;
  u32 tableBytes = 4096, ways = 1;
  Replacement replacement = Replacement::newest;
  Tags tags = Tags::full;
  u32 roundBits = 0;

  bool operator==(const Settings&) const = default;
};

std::vector<config::MechanismSetting> settingRows();
std::optional<std::string> problem(const std::any& settings, const config::Machine& machine);

// Of the setting `lines`. Throws Error.
std::vector<compiler::LineRange> linesIn(const std::string& text);

}  // namespace warpwright::mechanisms::memoisation
