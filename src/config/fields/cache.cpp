// The one list of all caches.
#include "base/memory_units.hpp"
#include "config/fields/rows.hpp"

namespace warpwright::config {

template <>
inline constexpr std::array<std::string_view, 6> kNamesOf<WritePolicy> = {"write_through", "write_through_evict", "write_through_allocate",
                                                                          "write_back",    "write_back_lazy",     "write_back_no_allocate"};

Rows<Cache> cacheRows() {
  static constexpr std::array kRows = {
      row<&Cache::bytes>(
          "bytes", "bytes", {0, kGi},
          "Capacity of one instance; 0: there is none, though an L1 data cache of 0 bytes still has MSHRs that merge. Default: 0."),
      row<&Cache::ways>("ways", "ways", {1, kMostWays}, "Lines of a set. Default: 4, the L1 of a GTX480."),
      row<&Cache::lineBytes>("line_bytes", "bytes", {kSectorBytes, kLongestLineBytes, true}, "Size of a line. Default: 128 (GTX480)."),
      row<&Cache::sectorBytes>("sector_bytes", "bytes", {kSectorBytes, kLongestLineBytes, true},
                               "What is fetched at once. Default: 128, a whole line (GTX480)."),
      policy<&Cache::replacement>("replacement", replacementPolicies, "Which line of a set goes. Default: lru (GTX480)."),
      choice<&Cache::globalWrites>(
          "global_writes",
          "Writes to global memory. `write_through`: they go below and update a line that is there. "
          "`write_through_evict`: they go below and drop the line. `write_through_allocate`: they go below and leave "
          "their bytes in a line; a sector of which bytes are missing is fetched when it is read. `write_back`: they "
          "allocate, fetch sectors that they cover in part, and the line goes below when it is evicted. "
          "`write_back_lazy`: the same with a mask of bytes in place of the fetch; a sector of which bytes are missing "
          "is fetched when it is read, and what was written goes below by its mask. `write_back_no_allocate`: a write "
          "to a line that is not there goes below. Default: write_through_evict, the L1 of a GTX480."),
      choice<&Cache::localWrites>(
          "local_writes",
          "Writes to local memory, and what the cache above wrote back; the same choices. Default: write_back, the L1 of a "
          "GTX480 but for its allocation."),
      policy<&Cache::setHash>("set_hash", setHashes, "Which set holds a line. Default: none, the plainest."),
      row<&Cache::hitLatency>("hit_latency", "ticks", {1, 10'000}, "From acceptance to the response of a hit. Default: 1."),
      row<&Cache::missLatency>("miss_latency", "ticks", {1, 10'000},
                               "From acceptance until a miss can leave downwards: the tag look-up. Default: 1."),
      row<&Cache::ports>("ports", "accesses", {1, 64}, "Accesses a tick. Default: 1, single-ported."),
      row<&Cache::banks>("banks", "banks", {1, kMostCacheBanks, true}, "Interleaved by line; a bank serves one access a tick. Default: 1."),
      row<&Cache::mshrs>("mshrs", "lines", {1, kMostHeldAccesses},
                         "Outstanding lines; sectors of one line share an entry. Default: 32, the L2 slice of a GTX480."),
      row<&Cache::mergesPerMshr>("merges_per_mshr", "accesses", {1, kMostHeldAccesses},
                                 "What one entry can hold, the first access included. Default: 8 (GTX480)."),
      row<&Cache::inputQueue>("input_queue", "accesses", {1, 65'536}, "Accesses that wait for a port. Default: 8 (GTX480: L2 queues)."),
      row<&Cache::missQueue>("miss_queue", "requests", {2, 65'536},
                             "Requests that wait to go below; a miss that displaces a dirty line needs two. Default: 8 (GTX480)."),
      row<&Cache::fillBytesPerTick>("fill_bytes_per_tick", "bytes", {1, 4096},
                                    "Bandwidth of the fill port. Default: 32, the L2 data port of a GTX480."),
  };
  return kRows;
}

}  // namespace warpwright::config
