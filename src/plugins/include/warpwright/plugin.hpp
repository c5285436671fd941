// Everything that a plug-in needs: mechanisms and policies in a shared object of its own (docs/plugins.md).
//
//   #include <warpwright/plugin.hpp>
//
//   const warpwright::mechanisms::Kind kMine{.description = {.name = "mine", …}, .make = …};
//   WARPWRIGHT_PLUGIN("mine", "1.0", [](warpwright::plugins::Registrar& to) { to.add(kMine); })
//
// The headers that it includes are those of the simulator. Of them a plug-in works with
//
//   mechanisms/mechanism.hpp    Kind, Mechanism: what a mechanism is, and where it takes hold
//   mechanisms/kind_parts.hpp   what most kinds share: makeFor(), zeroOf(), CountsBySm
//   config/mechanism.hpp        the description of a kind and its settings
//   config/field.hpp            rows of settings: row<>(), choice<>()
//   config/machine.hpp          the machine as its file describes it
//   stats/statistics.hpp        structures of counters
//   stats/named_statistics.hpp  figures made of them
//   sm/parts.hpp                what an SM is put together from: pipeline, schedulers, stages, observers
//   sm/access/stage.hpp         stages on the way of data accesses, and the contract that they keep
//   mem/request.hpp             what travels through the memory system
//   mem/cache/cache.hpp         a cache: holds(), drop(), place()
//   exec/observer.hpp           what a launch tells its observers
//   config/policy_list.hpp      PolicyEntry: a policy with its settings and factory
//   mem/cache/replacement/replacement.hpp, mem/cache/set_hash/set_hash.hpp, mem/network/arbitration/arbitration.hpp,
//   mem/partition/channel_hash/channel_hash.hpp, mem/dram/schedule.hpp, sm/schedulers/scheduler.hpp
//                               the families of policies: what each decides, and what it is told
//   base/error.hpp              Error: a message with its cause and a remedy
//
// and all others are there because these include them.
#pragma once

#include "base/error.hpp"
#include "config/mechanism.hpp"
#include "mechanisms/kind_parts.hpp"
#include "mechanisms/mechanism.hpp"
#include "plugins/abi.hpp"
#include "plugins/interface.hpp"
#include "sm/access/stage.hpp"
#include "stats/named_structure.hpp"

// Once in a plug-in, at global scope: its name, its version, and a function or lambda without captures that takes a
// warpwright::plugins::Registrar&.
#define WARPWRIGHT_PLUGIN(NAME, VERSION, ...)                                                                                            \
  extern "C" __attribute__((visibility("default"))) const warpwright::plugins::Plugin* warpwright_plugin() {                             \
    static constexpr warpwright::plugins::Plugin plugin{warpwright::plugins::kMagic, WARPWRIGHT_PLUGIN_ABI, NAME, VERSION, __VA_ARGS__}; \
    return &plugin;                                                                                                                      \
  }
