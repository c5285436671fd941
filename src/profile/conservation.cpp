#include "profile/conservation.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "stats/json.hpp"

namespace warpwright::profile {
namespace {

void checkTraffic(stats::Conservation& laws, std::string_view space, const Traffic& traffic) {
  laws.atMost(fmt::format("{} bytes used, bytes asked for", space), traffic.bytesUsed, traffic.bytesAsked);
  laws.atMost(fmt::format("{} bytes used, bytes moved", space), traffic.bytesUsed, traffic.sectorBytes());
  laws.atMost(fmt::format("{} ideal sectors, sectors", space), traffic.idealSectors, traffic.sectors);
  laws.atMost(fmt::format("{} lines, sectors", space), traffic.lines, traffic.sectors);
  laws.atMost(fmt::format("{} sectors, sectors of the lines", space), traffic.sectors, 4 * traffic.lines);
}

void checkBanks(stats::Conservation& laws, const BankTraffic& traffic) {
  laws.equal("shared phases, degrees counted", traffic.phases, traffic.degree.count());
  laws.equal("shared passes, sum of degrees", traffic.passes, traffic.degree.sum());
  laws.atMost("shared requests, phases", traffic.requests, traffic.phases);
  laws.atMost("shared phases, passes", traffic.phases, traffic.passes);
  laws.atMost("shared passes, words of the banks", traffic.passes, traffic.words);
}

}  // namespace

u64 lanesOfAccesses(const isa::Instruction& instruction, const exec::InstructionCount& count, const InstructionEvents* events) {
  switch (instruction.opcode) {
    case isa::Opcode::ld:
    case isa::Opcode::st:
    case isa::Opcode::atom:
    case isa::Opcode::mbarrier:
      return count.lanes;
    case isa::Opcode::cp_async:
      return count.lanes + (events == nullptr ? 0 : std::min(events->global.lanes, count.lanes));
    default:
      return 0;
  }
}

void checkInstructions(stats::Conservation& laws, const Counters& launch, const exec::LaunchResult& result) {
  laws.equal("warp instructions by class, issued", launch.warpInstructions.total(), result.warpInstructions);
  laws.equal("thread instructions by class, executed", launch.threadInstructions.total(), result.threadInstructions);
}

void checkAccesses(stats::Conservation& laws, const Counters& launch, u64 accessLanes, bool complete) {
  const u64 lanes = launch.global.total().lanes + launch.local.total().lanes + launch.shared.total().lanes + launch.constant.lanes +
                    launch.parameters.lanes;
  constexpr std::string_view kLaw = "lanes of memory accesses, lanes of loads, stores and atomics";
  complete ? laws.equal(kLaw, lanes, accessLanes) : laws.atMost(kLaw, lanes, accessLanes);
}

void checkTotals(stats::Conservation& laws, const Counters& kernel, const Counters& sumOfLines, u32 warpSize) {
  const stats::Json whole = stats::toJson(kernel), parts = stats::toJson(sumOfLines);
  for (const auto& [name, value] : whole.items()) {
    laws.equal(fmt::format("{} of the kernel agree with the sum over its lines", name), value == parts[name] ? 1 : 0, 1);
  }
  laws.atMost("thread instructions, active lanes", kernel.threadInstructions.total(), kernel.activeLanes);
  laws.atMost("active lanes, lanes of all warp instructions", kernel.activeLanes, kernel.warpInstructions.total() * warpSize);
  laws.atMost("divergent branches, branches", kernel.control.divergent, kernel.control.branches);
  checkTraffic(laws, "global", kernel.global.total());
  checkTraffic(laws, "local", kernel.local.total());
  checkBanks(laws, kernel.shared.total());
  for (const TexelTraffic* texels : {&kernel.textures, &kernel.surfaces}) {
    laws.atMost("texel sectors, texels", texels->sectors, texels->texels);
    laws.atMost("texel lines, texel sectors", texels->lines, texels->sectors);
    laws.atMost("texel sectors, sectors of the lines", texels->sectors, 4 * texels->lines);
  }
  laws.equal("atomic steps, sum of degrees", kernel.atomics.steps, kernel.atomics.degree.sum());
  laws.atMost("atomic steps, lanes", kernel.atomics.steps, kernel.atomics.lanes);
}

void checkFootprint(stats::Conservation& laws, const Counters& kernel, const FootprintCounters& footprint) {
  laws.equal("global sectors, sectors the footprint saw", kernel.global.total().sectors, footprint.requests);
  laws.equal("distinct sectors, sectors in the reuse histogram", footprint.sectors, footprint.reuse.count());
  laws.atMost("distinct sectors, sectors requested", footprint.sectors, footprint.requests);
  laws.atMost("distinct lines, distinct sectors", footprint.lines, footprint.sectors);
}

}  // namespace warpwright::profile
