#include "exec/race_report.hpp"

#include <fmt/format.h>

#include "base/demangle.hpp"
#include "exec/fault.hpp"
#include "exec/location.hpp"
#include "exec/race_detector.hpp"

namespace warpwright::exec {
namespace {

std::string position(u64 linear, const Dim3& shape) {
  return fmt::format("({},{},{})", linear % shape.x, linear / shape.x % shape.y, linear / shape.x / shape.y);
}

std::string accessText(const LaunchRequest& request, const Race& race, const RaceAccess& access) {
  const char* kind = access.writes ? (access.strong ? "atomic or volatile write" : "write") : (access.strong ? "volatile read" : "read");
  const std::string block =
      race.first.block == race.second.block ? "" : fmt::format("block {}, ", position(access.block, request.launch->grid));
  return fmt::format("{} by {}thread {} at {}", kind, block, position(access.thread, request.launch->block),
                     locationOf(request.launch->program->program, access.pc));
}

std::string memoryText(const LaunchRequest& request, const GlobalMemory& memory, const Race& race) {
  if (const GlobalAddress* const address = std::get_if<GlobalAddress>(&race.address)) {
    const std::string nearest = nearestAllocation(memory, *address);
    return fmt::format("global memory at {:#x}{}", u64{*address}, nearest.empty() ? "" : fmt::format(" ({})", nearest));
  }
  const u64 offset = std::get<SharedOffset>(race.address);
  const std::string home = race.first.block == race.second.block && race.home == race.first.block
                               ? std::string()
                               : fmt::format(" of block {}", position(race.home, request.launch->grid));
  for (const isa::SharedVariable& shared : request.launch->kernel->sharedVariables) {
    if (offset - shared.offset < shared.size)
      return fmt::format("shared memory at offset {} ('{}' + {}){}", offset, demangled(shared.name), offset - shared.offset, home);
  }
  return fmt::format("shared memory at offset {}{}", offset, home);
}

std::string raceText(const LaunchRequest& request, const GlobalMemory& memory, const Race& race) {
  const std::string block =
      race.first.block == race.second.block ? fmt::format(" in block {}", position(race.first.block, request.launch->grid)) : std::string();
  return fmt::format("kernel '{}': race in {}{}: {}, {}, with nothing between them that orders them",
                     demangled(request.launch->kernel->name), memoryText(request, memory, race), block,
                     accessText(request, race, race.first), accessText(request, race, race.second));
}

const char* remedyFor(const LaunchRequest& request, const Race& race) {
  const bool isInShared = std::holds_alternative<SharedOffset>(race.address);
  if (race.first.block != race.second.block && isInShared) return "put a barrier of the cluster (cluster.sync()) between the two accesses";
  if (race.first.block != race.second.block)
    return "let atomics with __threadfence order the blocks, or give each step a kernel of its own";
  const u32 warpSize = request.limits.warpSize;
  if (race.first.thread / warpSize != race.second.thread / warpSize) return "put a barrier (__syncthreads) between the two accesses";
  return race.first.pc == race.second.pc ? "let one thread write, or use an atomic operation" : "put __syncwarp between the two accesses";
}

}  // namespace

void reportRaces(const RaceDetector& races, const LaunchRequest& request, const GlobalMemory& memory, LaunchResult& result) {
  for (const auto& [pair, race] : races.races()) {
    const std::string text = raceText(request, memory, race);
    if (result.status != LaunchStatus::completed) {
      result.warnings.push_back(text);
      continue;
    }
    result.status = LaunchStatus::race;
    result.message = fmt::format("{}\n  remedy: {}", text, remedyFor(request, race));
  }
  if (races.hasForgotten()) {
    result.warnings.push_back(
        fmt::format("kernel '{}' touches more memory than the check of races can follow: it has forgotten old accesses",
                    demangled(request.launch->kernel->name)));
  }
}

}  // namespace warpwright::exec
