// What the simulator and a plug-in know of one another. Both talk through plain structures and virtual functions; neither sees a symbol of
// the other but `warpwright_plugin`.
#pragma once

#include "mechanisms/mechanism.hpp"
#include "mem/cache/replacement/replacement.hpp"
#include "mem/cache/set_hash/set_hash.hpp"
#include "mem/dram/schedule.hpp"
#include "mem/network/arbitration/arbitration.hpp"
#include "mem/partition/channel_hash/channel_hash.hpp"
#include "sm/schedulers/scheduler.hpp"

namespace warpwright::plugins {

// Takes what a plug-in brings: mechanisms, and policies of each family. Each must stay as it is, and where it is. All throw Error where it
// is incomplete, or one of its names is taken.
class Registrar {
 public:
  virtual ~Registrar() = default;
  virtual void add(const mechanisms::Kind& kind) = 0;
  virtual void add(const mem::ReplacementEntry& entry) = 0;
  virtual void add(const mem::SetHashEntry& entry) = 0;
  virtual void add(const mem::ArbitrationEntry& entry) = 0;
  virtual void add(const mem::ChannelHashEntry& entry) = 0;
  virtual void add(const mem::dram::SchedulerEntry& entry) = 0;
  virtual void add(const sm::SchedulerEntry& entry) = 0;
};

// What `warpwright_plugin` gives. `magic` and `abi` are read before all else, and stay the first two members for ever.
struct Plugin {
  u64 magic;
  const char* abi;  // plugins/abi.hpp
  const char* name;
  const char* version;
  // Adds all that it brings, once.
  void (*registerKinds)(Registrar& registrar);
};

inline constexpr u64 kMagic = 0x6e69'6775'6c70'7777;  // "wwplugin", lowest byte first
inline constexpr const char* kEntryName = "warpwright_plugin";
using Entry = const Plugin* (*)();

}  // namespace warpwright::plugins
