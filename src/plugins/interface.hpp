// What the simulator and a plug-in know of one another. Both talk through plain structures and virtual functions; neither sees a symbol of
// the other but `warpwright_plugin`.
#pragma once

#include "mechanisms/mechanism.hpp"

namespace warpwright::plugins {

// Takes what a plug-in brings. Later kinds of things, as policies, are further functions here.
class Registrar {
 public:
  virtual ~Registrar() = default;
  // The kind must stay as it is, and where it is. Throws Error where it is incomplete, or one of its names is taken.
  virtual void add(const mechanisms::Kind& kind) = 0;
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
