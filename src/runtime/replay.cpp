#include "runtime/replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/error.hpp"
#include "stats/json.hpp"

namespace warpwright::runtime {
namespace {

using stats::Json;

Dim3 extentOf(const Json& extent) { return {extent.at(0).get<u32>(), extent.at(1).get<u32>(), extent.at(2).get<u32>()}; }

template <class T>
std::map<u64, T> resourcesOf(const Json& handles) {
  std::map<u64, T> resources;
  for (const Json& each : handles) {
    T resource;
    std::memcpy(&resource, each.at(1).get_binary().data(), sizeof resource);
    resources.emplace(each.at(0).get<u64>(), resource);
  }
  return resources;
}

exec::GlobalMemory::State stateOf(const Json& memory) {
  exec::GlobalMemory::State state;
  state.base = GlobalAddress(memory.at("base").get<u64>());
  state.cursor = GlobalAddress(memory.at("cursor").get<u64>());
  state.allocated = memory.at("allocated").get<u64>();
  state.programs = memory.at("programs").get<u64>();
  for (const Json& each : memory.at("live"))
    state.live.push_back({GlobalAddress(each.at(0).get<u64>()), each.at(1).get<u64>(),
                          static_cast<exec::AllocationKind>(each.at(2).get<u32>()), each.at(3).get<std::string>(), false});
  return state;
}

}  // namespace

Replay::Replay(const std::string& file) : name_(file), file_(file) {
  const std::optional<Json> record = file_.next();
  if (!record || record->at("record") != "settings") throw Error("'" + file + "' holds no launch", {}, "record it anew");
  machine_ = record->at("machine").get<std::string>();
  isTimed_ = record->at("timed").get<bool>();
  settings_.addressBits = record->at("address_bits").get<u32>();
  settings_.maxRegisters = record->at("max_registers").get<u32>();
  settings_.spillPolicy = static_cast<compiler::SpillPolicy>(record->at("spill_policy").get<u32>());
}

std::optional<LaunchOutcome> Replay::next(Device& device) {
  while (const std::optional<Json> record = file_.next()) {
    if (record->at("record") == "module") {
      loadModule(device, *record);
      continue;
    }
    restoreMemory(device, *record);
    return device.replay(launchOf(*record));
  }
  return std::nullopt;
}

void Replay::loadModule(Device& device, const Json& record) {
  std::vector<PtxUnit> units;
  for (const Json& unit : record.at("units")) {
    const u32 most = unit.at(1).get<u32>();
    units.push_back({unit.at(0).get<std::string>(), most == 0 ? std::nullopt : std::optional(most)});
  }
  const std::vector<u64> variables = record.at("variables").get<std::vector<u64>>();
  exec::ProgramAddresses addresses;
  for (const u64 address : variables) addresses.variableAddresses.push_back(GlobalAddress(address));
  addresses.constantBase = GlobalAddress(record.at("constants").get<u64>());
  addresses.number = record.at("number").get<u64>();
  modules_[record.at("id").get<u32>()] = &device.loadModule(units, record.at("name").get<std::string>(), addresses);
}

void Replay::restoreMemory(Device& device, const Json& record) {
  const exec::GlobalMemory::State state = stateOf(record.at("memory"));
  const auto& fresh = record.at("fresh");
  for (const exec::Allocation& each : state.live) {
    if (std::find(fresh.begin(), fresh.end(), Json(u64{each.address})) == fresh.end()) continue;
    if (each.kind == exec::AllocationKind::host) {
      hostMemory_.push_back(exec::Reservation::at(each.address, each.size));
      if (!hostMemory_.back())
        throw Error(fmt::format("the program's own memory at {:#x}, which its kernels use, lies where this process has other things",
                                u64{each.address}),
                    {}, "try again: a process is placed anew each time; or let the program use cudaMallocHost instead of cudaHostRegister");
    }
  }
  device.memory().restore(state);
  for (const Json& address : fresh) {
    const exec::Allocation* allocation = device.memory().find(GlobalAddress(address.get<u64>()), 1);
    std::memset(exec::GlobalMemory::hostPointer(allocation->address), 0, allocation->size);
    device.memory().markInitialised(allocation->address, allocation->size);
  }
  for (const Json& piece : record.at("changed")) {
    const auto& bytes = piece.at(1).get_binary();
    std::memcpy(exec::GlobalMemory::hostPointer(GlobalAddress(piece.at(0).get<u64>())), bytes.data(), bytes.size());
  }
  device.textures().restore(resourcesOf<exec::Texture>(record.at("textures")), resourcesOf<exec::Image>(record.at("surfaces")));
}

Launch Replay::launchOf(const Json& record) const {
  Launch launch;
  launch.module = modules_.at(record.at("module").get<u32>());
  const std::string name = record.at("kernel").get<std::string>();
  launch.kernel = launch.module->loaded->program.findFunction(name);
  launch.grid = extentOf(record.at("grid"));
  launch.block = extentOf(record.at("block"));
  launch.dynamicSharedBytes = record.at("dynamic_shared_bytes").get<u64>();
  const auto& parameters = record.at("parameters").get_binary();
  launch.parameters.assign(parameters.begin(), parameters.end());
  launch.cooperative = record.at("cooperative").get<bool>();
  if (const Json cluster = record.value("cluster", Json()); !cluster.is_null()) launch.cluster = extentOf(cluster);
  launch.cachePreference = static_cast<exec::CachePreference>(record.value("cache_preference", 0u));
  launch.startNanoseconds = record.at("start_nanoseconds").get<u64>();
  launch.number = record.at("number").get<u64>();
  for (const Json& copied : record.at("copied")) launch.copied.push_back({GlobalAddress(copied.at(0).get<u64>()), copied.at(1).get<u64>()});
  return launch;
}

}  // namespace warpwright::runtime
