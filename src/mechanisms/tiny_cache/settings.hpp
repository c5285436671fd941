// [mechanism.tiny-cache] of a machine.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/machine.hpp"
#include "config/mechanism.hpp"
#include "mechanisms/tiny_cache/bypass.hpp"
#include "mechanisms/tiny_cache/geometry.hpp"
#include "mechanisms/tiny_cache/stream_detector.hpp"

namespace warpwright::mechanisms::tiny_cache {

// What has a control bit (section 3).
enum class Granularity : u8 { byte, halfWord, word };

struct Settings {
  Bypass bypass = Bypass::none;
  std::string kernels;  // kernelBypasses()
  bool byProgram = true;
  bool privateToo = false;
  u32 lines = 16, ways = 8, lineBytes = 64;
  Granularity granularity = Granularity::halfWord;
  u32 latency = 1;
  u32 queue = 32;
  bool detectStreams = false;
  StreamSettings streams;

  Geometry geometry() const { return {lines, ways, lineBytes, 1u << static_cast<u32>(granularity)}; }
  // Without any access to serve the caches are not there.
  bool isPresent() const { return bypass != Bypass::all || !kernels.empty(); }
  // Of some kernel.
  bool keepsShared() const;
  Bypass bypassFor(const exec::Launch& launch) const;
  bool operator==(const Settings&) const = default;
};

std::vector<config::MechanismSetting> settingRows();
// What makes the settings impossible in the machine.
std::optional<std::string> problem(const std::any& settings, const config::Machine& machine);

}  // namespace warpwright::mechanisms::tiny_cache
