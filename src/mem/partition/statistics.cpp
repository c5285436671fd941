#include "mem/partition/statistics.hpp"

namespace warpwright::mem {

void check(const PartitionStats& stats, stats::Conservation& laws) {
  check(stats.l2, laws);
  check(stats.lastLevel, laws);
  laws.atMost("partition: responses <= responses due", stats.responses.total(), stats.responsesDue);
}

void checkAtRest(const PartitionStats& stats, stats::Conservation& laws) {
  checkAtRest(stats.l2, laws);
  checkAtRest(stats.lastLevel, laws);
  laws.equal("partition: responses = responses due", stats.responses.total(), stats.responsesDue);
  const bool hasL2 = stats.l2.accesses.total() != 0, hasLastLevel = stats.lastLevel.accesses.total() != 0;
  if (hasL2) laws.equal("partition: bytes from the network = bytes into the L2 slices", stats.bytesFromNetwork, stats.l2.bytesFromAbove);
  if (!hasLastLevel) {
    if (hasL2)
      laws.equal("partition: bytes out of the L2 slices and for the partner = bytes to DRAM and the partner",
                 stats.l2.bytesToBelow + stats.bytesForPartner, stats.bytesToDram + stats.bytesToPartner);
    return;
  }
  const u64 intoLastLevel = hasL2 ? stats.l2.bytesToBelow : stats.bytesFromNetwork;
  laws.equal("partition: bytes from above = bytes into the last level", intoLastLevel, stats.lastLevel.bytesFromAbove);
  laws.equal("partition: bytes out of the last level = bytes to DRAM", stats.lastLevel.bytesToBelow, stats.bytesToDram);
}

}  // namespace warpwright::mem
