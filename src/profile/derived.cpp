#include "profile/derived.hpp"

#include "stats/json.hpp"

namespace warpwright::profile {

using stats::Json;
using stats::ratio;
using stats::toJson;

Ratio simdEfficiency(const Counters& counters, u32 warpSize) {
  return ratio(counters.activeLanes, counters.warpInstructions.total() * warpSize);
}

Ratio simdEfficiencyPredicated(const Counters& counters, u32 warpSize) {
  return ratio(counters.threadInstructions.total(), counters.warpInstructions.total() * warpSize);
}

Ratio divergentShare(const Counters& counters) { return ratio(counters.control.divergent, counters.control.branches); }

Ratio sectorsPerRequest(const Traffic& traffic) { return ratio(traffic.sectors, traffic.requests); }
Ratio sectorEfficiency(const Traffic& traffic) { return ratio(traffic.bytesUsed, traffic.sectorBytes()); }
Ratio lineEfficiency(const Traffic& traffic) { return ratio(traffic.bytesUsed, traffic.lineBytes()); }
Ratio meanDegree(const BankTraffic& traffic) { return ratio(traffic.passes, traffic.phases); }

namespace {

Json trafficJson(const Traffic& traffic) {
  return {{"sectors_per_request", toJson(sectorsPerRequest(traffic))},
          {"bytes_moved_in_sectors", traffic.sectorBytes()},
          {"bytes_moved_in_lines", traffic.lineBytes()},
          {"sector_efficiency", toJson(sectorEfficiency(traffic))},
          {"line_efficiency", toJson(lineEfficiency(traffic))}};
}

Json trafficJson(const BankTraffic& traffic) { return {{"mean_conflict_degree", toJson(meanDegree(traffic))}}; }

template <class T>
Json spaceJson(const ByKind<T>& space) {
  return {{"loads", trafficJson(space.loads)}, {"stores", trafficJson(space.stores)}, {"atomics", trafficJson(space.atomics)}};
}

}  // namespace

Json derivedJson(const Counters& counters, u32 warpSize) {
  const u64 warps = counters.warpInstructions.total(), threads = counters.threadInstructions.total();
  return {{"warp_instructions", warps},
          {"thread_instructions", threads},
          {"simd_efficiency", toJson(simdEfficiency(counters, warpSize))},
          {"simd_efficiency_predicated", toJson(simdEfficiencyPredicated(counters, warpSize))},
          {"divergent_branch_share", toJson(divergentShare(counters))},
          {"global", spaceJson(counters.global)},
          {"local", spaceJson(counters.local)},
          {"shared", spaceJson(counters.shared)},
          {"atomic_lanes_per_address", toJson(ratio(counters.atomics.steps, counters.atomics.requests))},
          {"register_reads_per_warp_instruction", toJson(ratio(counters.registers.warpReads, warps))},
          {"register_writes_per_warp_instruction", toJson(ratio(counters.registers.warpWrites, warps))}};
}

}  // namespace warpwright::profile
