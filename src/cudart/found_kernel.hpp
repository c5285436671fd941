// A kernel that may be launched, whichever API the program has it from.
#pragma once

#include "cudart/cluster_settings.hpp"
#include "runtime/launch.hpp"

namespace warpwright::cudart {

struct FoundKernel {
  const runtime::Module* module = nullptr;
  const isa::Function* function = nullptr;
  u32 device = 0;            // the ordinal of the one that has the module
  u64 maxDynamicShared = 0;  // what a launch may ask for, in bytes
  exec::CachePreference cachePreference = exec::CachePreference::none;
  ClusterSettings clusters;
};

}  // namespace warpwright::cudart
