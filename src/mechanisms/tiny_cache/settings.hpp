// [mechanism.tiny-cache] of a machine.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/machine.hpp"
#include "config/mechanism.hpp"
#include "mechanisms/tiny_cache/geometry.hpp"

namespace warpwright::mechanisms::tiny_cache {

// Accesses that go past the caches (figure 8 of the paper).
enum class Bypass : u8 { none, global, shared, all };
// What has a control bit (section 3).
enum class Granularity : u8 { byte, halfWord, word };

struct Settings {
  Bypass bypass = Bypass::none;
  u32 lines = 16, ways = 8, lineBytes = 64;
  Granularity granularity = Granularity::halfWord;
  u32 latency = 1;
  u32 queue = 32;

  Geometry geometry() const { return {lines, ways, lineBytes, 1u << static_cast<u32>(granularity)}; }
  // Without any access to serve the caches are not there.
  bool isPresent() const { return bypass != Bypass::all; }
  bool keepsShared() const { return bypass == Bypass::none || bypass == Bypass::global; }
  bool operator==(const Settings&) const = default;
};

std::vector<config::MechanismSetting> settingRows();
// What makes the settings impossible in the machine.
std::optional<std::string> problem(const std::any& settings, const config::Machine& machine);

}  // namespace warpwright::mechanisms::tiny_cache
