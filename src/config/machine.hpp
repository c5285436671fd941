// What a machine file (configs/*.toml) describes. One field list a structure gives parsing, validation, the resolved dump and the
// reference page.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/types.hpp"
#include "config/cache.hpp"
#include "config/dram.hpp"
#include "config/mechanism.hpp"
#include "config/network.hpp"
#include "config/partition.hpp"
#include "config/sm.hpp"

namespace warpwright::config {

struct Machine {
  std::string name = "unnamed";
  std::string description;
  // [chip]
  u32 multiprocessors = 1;
  u32 clusterMultiprocessors = 0;  // SMs that blocks of a cluster may be on, at most (sm_groups.hpp); 0: clusters are of one block
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
  u32 programCounterRegisters = 0;  // of each thread's registers; code cannot name them
  u32 registerAllocationUnit = 64;  // registers, per warp
  u64 sharedBytesPerSm = 48 * 1024;
  u64 sharedBytesPerBlock = 48 * 1024;
  u64 sharedBytesPerBlockOptin = 48 * 1024;  // after cudaFuncAttributeMaxDynamicSharedMemorySize
  u64 sharedAllocationUnit = 128;            // bytes
  u64 sharedReservedBytes = 0;               // of each block, for the system
  u32 sharedBanks = 32;
  u32 sharedBankBytes = 4;
  u32 schedulersPerSm = 1;
  std::string reconvergence = "independent";  // or "stack"
  u32 pathTurn = 256;                         // independent: instructions of a path of a diverged warp before another path's turn
  u32 pollsBeforeYield = 16;                  // in a row, without news, after which a path lets others run

  // The timed machine. False: the file describes the functional machine alone, and what follows means nothing.
  bool timed = false;
  Sm sm;                              // [sm.pipeline] [sm.pipes] [sm.operations] [sm.memory]
  Cache l1d, l1i, l1c, textureCache;  // one of each an SM: [l1d] [l1i] [l1c] [texture_cache]
  Cache l15c;                         // between l1c and the network, one an SM: [l15c]
  Cache l2;                           // one slice: [l2]
  Cache llc;                          // below the L2, one a partition: [llc]
  Partition partition;                // [partition]
  Network network;                    // [network]
  Dram dram;                          // [dram]
  Mechanisms mechanisms;              // [mechanism.NAME]

  bool operator==(const Machine&) const = default;
};

// Every field: its key ("sm.warp_size"), unit, range, text. Used by docs and `warpwright machines --fields`.
struct FieldInfo {
  std::string key, unit, range, text, defaultValue;
};
std::vector<FieldInfo> machineFields();

// "KEY=VALUE", as `--set` takes them: applied after the file, checked with it.
using Overrides = std::span<const std::string>;
// How errors name where one stands: "--set l1d.ways=8", and "--mechanism avc" for mechanism.avc=true.
std::string sourceOfOverride(const std::string& override);

// Reads a machine: NAME of a preset in the configs folder, or a path to a TOML file (anything with a slash or ending in .toml).
// Throws Error naming file, line, key and the nearest key.
Machine loadMachine(const std::string& nameOrPath, Overrides overrides = {});
// `fileName` serves messages and relative paths in `base`. A key that is absent keeps the value of the `base`, else its default;
// `name` defaults to the file's stem.
Machine parseMachine(const std::string& toml, const std::string& fileName, Overrides overrides = {});
// Throws Error (without a position) when a field leaves its range or fields contradict each other.
void validate(const Machine& machine);
// Throws Error that names the missing sections when the machine is functional only.
void requireTimed(const Machine& machine);
std::vector<Machine> presetMachines();       // sorted by file name
std::string toToml(const Machine& machine);  // the resolved dump: parseMachine(toToml(m)) == m
u64 hashOf(const Machine& machine);          // of the resolved dump (FNV-1a); equal machines have equal hashes on every host

// docs/machines.md: every field with unit, range, default and the source of the default.
std::string machineReference();

// The folder with the presets: WARPWRIGHT_CONFIGS in the environment, else beside the executable/library, else the source tree.
std::string configFolder();

}  // namespace warpwright::config
