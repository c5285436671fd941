// What a machine file (configs/*.toml) describes. One field list gives parsing, validation, the resolved dump and the reference page.
#pragma once

#include <string>
#include <vector>

#include "base/types.hpp"

namespace warpwright::config {

struct Machine {
  std::string name = "unnamed";
  std::string description;
  // [chip]
  u32 multiprocessors = 1;
  u32 computeMajor = 7, computeMinor = 0;
  u64 coreClockKhz = 1'000'000;
  u64 memoryClockKhz = 1'000'000;
  u32 memoryBusBits = 256;
  u64 globalMemoryBytes = u64{8} << 30;
  u64 l2CacheBytes = 0;
  // [sm]
  u32 warpSize = 32;
  u32 warpsPerSm = 48;
  u32 blocksPerSm = 8;
  u32 threadsPerBlock = 1024;
  u32 registersPerSm = 32768;  // 32-bit registers
  u32 registersPerThread = 255;
  u32 registerAllocationUnit = 64;  // registers, per warp
  u64 sharedBytesPerSm = 48 * 1024;
  u64 sharedBytesPerBlock = 48 * 1024;
  u64 sharedBytesPerBlockOptin = 48 * 1024;  // after cudaFuncAttributeMaxDynamicSharedMemorySize
  u64 sharedAllocationUnit = 128;            // bytes
  u32 sharedBanks = 32;
  u32 sharedBankBytes = 4;
  u32 schedulersPerSm = 1;
  std::string reconvergence = "independent";  // or "stack"

  bool operator==(const Machine&) const = default;
};

// Every field: its key ("sm.warp_size"), unit, range, text. Used by docs and `warpwright machines --fields`.
struct FieldInfo {
  std::string key, unit, range, text, defaultValue;
};
std::vector<FieldInfo> machineFields();

// Reads a machine: NAME of a preset in the configs folder, or a path to a TOML file (anything with a slash or ending in .toml).
// Throws Error naming file, line, key and the nearest key.
Machine loadMachine(const std::string& nameOrPath);
// `fileName` serves messages only. A key that is absent keeps its default; `name` defaults to the file's stem.
Machine parseMachine(const std::string& toml, const std::string& fileName);
// Throws Error (without a position) when a field leaves its range or two fields contradict each other.
void validate(const Machine& machine);
std::vector<Machine> presetMachines();       // sorted by file name
std::string toToml(const Machine& machine);  // the resolved dump: parseMachine(toToml(m)) == m

// docs/machines.md: every field with unit, range, default and the source of the default.
std::string machineReference();

// The folder with the presets: WARPWRIGHT_CONFIGS in the environment, else beside the executable/library, else the source tree.
std::string configFolder();

}  // namespace warpwright::config
