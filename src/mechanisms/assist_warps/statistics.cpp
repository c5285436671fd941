#include "mechanisms/assist_warps/statistics.hpp"

namespace warpwright::mechanisms::assist_warps {

void check(const Statistics& statistics, stats::Conservation& laws) {
  laws.equal("assist warps that have an entry are deployed or dropped", statistics.inserted(), statistics.deployed() + statistics.dropped);
  laws.equal("assist warps that are deployed end or are killed", statistics.deployed(), statistics.ended + statistics.killed);
  laws.equal("instructions of assist warps that are staged issue or are flushed", statistics.staged,
             statistics.instructions + statistics.flushed);
  laws.atMost("assist warps that are killed have low priority", statistics.killed, statistics.deployedLow);
  laws.atMost("assist warps that are throttled have an entry", statistics.throttled, statistics.inserted());
  laws.atMost("assist warps that are abandoned end", statistics.abandoned, statistics.ended);
}

}  // namespace warpwright::mechanisms::assist_warps
