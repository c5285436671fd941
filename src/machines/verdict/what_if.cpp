#include "machines/verdict/what_if.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace warpwright::machines {
namespace {

using config::Machine;
using Settings = std::vector<std::string>;

// A row that is closed is opened, read, and crosses the bus: the latency of a channel that has nothing else to do.
u32 idleLatency(const config::Dram& dram) { return 1 + dram.tRCD + dram.tCL + config::burstTicks(dram); }

std::string latencyKeys(std::string_view name, const config::LatencyOf& from, std::string_view key) {
  return fmt::format("sm.operations.{}.{}={}", name, key, key == "latency" ? from.latency : from.interval);
}

// With the pipes and latencies of single precision.
Settings doubleAsSingle(const Machine& machine) {
  const config::Sm& sm = machine.sm;
  return {fmt::format("sm.pipes.fp64.count={}", sm.fp32.count),
          fmt::format("sm.pipes.fp64.width={}", sm.fp32.width),
          latencyKeys("fma64", sm.fma32, "latency"),
          latencyKeys("fma64", sm.fma32, "interval"),
          latencyKeys("divide64", sm.divide32, "latency"),
          latencyKeys("divide64", sm.divide32, "interval")};
}

Settings twiceThePipes(const Machine& machine) {
  Settings settings;
  const auto add = [&](std::string_view name, const config::Pipes& pipes) {
    if (pipes.count != 0) settings.push_back(fmt::format("sm.pipes.{}.count={}", name, std::min(64u, 2 * pipes.count)));
  };
  add("integer", machine.sm.integer);
  add("fp32", machine.sm.fp32);
  add("fp64", machine.sm.fp64);
  add("sfu", machine.sm.sfu);
  add("tensor", machine.sm.tensor);
  return settings;
}

// Registers, shared memory and places for blocks bound nothing: as many warps are resident as an SM has places for.
Settings moreWarps(const Machine& machine) {
  return {"sm.registers=16777216", "sm.shared_bytes=16777216", fmt::format("sm.blocks={}", machine.warpsPerSm)};
}

const WhatIf kWhatIfs[] = {
    {"more-warps", "with registers, shared memory and places for as many warps as an SM can hold", moreWarps},
    {"perfect-memory", "with memory that answers all that misses the first-level caches in the next cycle",
     [](const Machine&) { return Settings{"sm.memory.perfect_latency=1"}; }},
    {"endless-dram", "with endless bandwidth of DRAM, at the latency of an idle one",
     [](const Machine& machine) { return Settings{fmt::format("dram.perfect_latency={}", idleLatency(machine.dram))}; }},
    {"no-bank-conflicts", "with no bank conflicts in shared memory", [](const Machine&) { return Settings{"sm.memory.shared_ports=64"}; }},
    {"free-launches", "with launches whose first block begins at once",
     [](const Machine&) { return Settings{"sm.pipeline.launch_latency=0"}; }},
    {"perfect-fetch", "with no misses of instructions", [](const Machine&) { return Settings{"sm.pipeline.perfect_fetch=true"}; }},
    {"endless-atomics", "with atomics units that perform all that comes in a tick",
     [](const Machine&) {
       return Settings{"partition.atomics_per_tick=1024", "partition.atomic_sector_time=0", "partition.atomic_repeat_time=0"};
     }},
    {"fast-double", "with double precision as fast as single precision", doubleAsSingle},
    {"more-pipes", "with twice the pipes for arithmetic", twiceThePipes},
};

}  // namespace

std::span<const WhatIf> whatIfs() { return kWhatIfs; }

const WhatIf* findWhatIf(std::string_view name) {
  const auto found = std::ranges::find_if(kWhatIfs, [&](const WhatIf& each) { return each.name == name; });
  return found == std::end(kWhatIfs) ? nullptr : &*found;
}

}  // namespace warpwright::machines
