#include "runtime/recorder.hpp"

#include <algorithm>
#include <cstring>

#include "stats/json.hpp"

namespace warpwright::runtime {
namespace {

using stats::Json;

constexpr u64 kPiece = 4096;  // bytes of memory that are recorded when one of them has changed

Json binary(const void* data, std::size_t bytes) {
  const auto* first = static_cast<const u8*>(data);
  return Json::binary(std::vector<u8>(first, first + bytes));
}

template <class T>
Json handles(const std::map<u64, T>& resources) {
  Json result = Json::array();
  for (const auto& [handle, resource] : resources) result.push_back({handle, binary(&resource, sizeof resource)});
  return result;
}

Json copiedBytes(const Launch& launch) {
  Json result = Json::array();
  for (const Copied& each : launch.copied) result.push_back({u64{each.address}, each.bytes});
  return result;
}

std::vector<u64> numbersOf(const std::vector<GlobalAddress>& addresses) { return {addresses.begin(), addresses.end()}; }

Json memoryState(const exec::GlobalMemory& memory) {
  const exec::GlobalMemory::State state = memory.state();
  Json result{{"base", u64{state.base}},
              {"cursor", u64{state.cursor}},
              {"allocated", state.allocated},
              {"programs", state.programs},
              {"live", Json::array()}};
  for (const exec::Allocation& each : state.live)
    result["live"].push_back({u64{each.address}, each.size, static_cast<u32>(each.kind), each.label});
  return result;
}

}  // namespace

LaunchRecorder::LaunchRecorder(const Settings& settings, exec::GlobalMemory& memory, const Textures& textures)
    : memory_(memory), textures_(textures), file_(settings.checkpointFile) {
  file_.add({{"record", "settings"},
             {"machine", config::toToml(settings.machine)},
             {"timed", settings.timing.has_value()},
             {"address_bits", settings.addressBits},
             {"max_registers", settings.maxRegisters},
             {"spill_policy", static_cast<u32>(settings.spillPolicy)}});
}

void LaunchRecorder::addModule(const Module& module) {
  if (!modules_.insert(module.id).second) return;
  Json units = Json::array();
  for (const PtxUnit& unit : module.units) units.push_back({unit.text, unit.maxRegisters.value_or(0)});
  file_.add({{"record", "module"},
             {"id", module.id},
             {"name", module.loaded->program.sourceName},
             {"units", units},
             {"variables", numbersOf(module.loaded->variableAddresses)},
             {"constants", u64{module.loaded->constantBase}},
             {"number", module.loaded->number}});
}

// Pieces that differ from what the last launch left; of new allocations, those that are not zero.
Json LaunchRecorder::changedMemory() {
  static const std::vector<std::byte> kZero(kPiece);
  Json changed = Json::array();
  for (const exec::Allocation& each : memory_.live()) {
    const auto before = afterLast_.find(each.address);
    const bool isKnown = before != afterLast_.end() && before->second.size() == each.size;
    for (u64 at = 0; at < each.size; at += kPiece) {
      const u64 bytes = std::min(kPiece, each.size - at);
      const std::byte* now = exec::GlobalMemory::hostPointer(each.address + at);
      if (std::memcmp(now, isKnown ? before->second.data() + at : kZero.data(), bytes) != 0)
        changed.push_back({u64{each.address + at}, binary(now, bytes)});
    }
  }
  return changed;
}

namespace {

// Null where the launch says nothing of it.
Json clusterIn(const Launch& launch) {
  if (!launch.cluster) return nullptr;
  return {launch.cluster->x, launch.cluster->y, launch.cluster->z};
}

}  // namespace

void LaunchRecorder::launchBegins(const Launch& launch) {
  addModule(*launch.module);
  Json fresh = Json::array();
  for (const exec::Allocation& each : memory_.live()) {
    const auto before = afterLast_.find(each.address);
    if (before == afterLast_.end() || before->second.size() != each.size) fresh.push_back(u64{each.address});
  }
  file_.add({{"record", "launch"},
             {"module", launch.module->id},
             {"kernel", launch.kernel->name},
             {"grid", {launch.grid.x, launch.grid.y, launch.grid.z}},
             {"block", {launch.block.x, launch.block.y, launch.block.z}},
             {"dynamic_shared_bytes", launch.dynamicSharedBytes},
             {"parameters", binary(launch.parameters.data(), launch.parameters.size())},
             {"cooperative", launch.cooperative},
             {"cluster", clusterIn(launch)},
             {"cache_preference", static_cast<u32>(launch.cachePreference)},
             {"start_nanoseconds", launch.startNanoseconds},
             {"number", launch.number},
             {"textures", handles(textures_.textures())},
             {"surfaces", handles(textures_.surfaces())},
             {"memory", memoryState(memory_)},
             {"fresh", fresh},
             {"copied", copiedBytes(launch)},
             {"changed", changedMemory()}});
}

void LaunchRecorder::launchEnded() {
  afterLast_.clear();
  for (const exec::Allocation& each : memory_.live()) {
    const std::byte* first = exec::GlobalMemory::hostPointer(each.address);
    afterLast_.emplace(each.address, std::vector<std::byte>(first, first + each.size));
  }
}

}  // namespace warpwright::runtime
