#include "mechanisms/elastic_mshr/statistics.hpp"

namespace warpwright::mechanisms::elastic_mshr {

void check(const Statistics& s, stats::Conservation& laws) {
  laws.equal("elastic MSHRs: primaries, secondaries and reservations = loads", s.primaries + s.secondaries + s.reservations, s.loads);
  laws.equal("elastic MSHRs: requests by size = primaries", s.fired1 + s.fired2 + s.fired4 + s.fired8, s.primaries);
  laws.atMost("elastic MSHRs: false primaries <= primaries", s.falsePrimaries, s.primaries);
  laws.atMost("elastic MSHRs: overtaken <= secondaries and reservations", s.overtaken, s.secondaries + s.reservations);
  laws.atMost("elastic MSHRs: combined stores <= stores", s.combined.opened + s.combined.joined, s.stores);
  laws.atMost("elastic MSHRs: writes sent for a reason <= writes", s.combined.timedOut + s.combined.forOthers + s.combined.forRoom,
              s.combined.opened);
  laws.equal("elastic MSHRs: bytes kept, dropped and duplicate = bytes loaded", s.bytesKept + s.bytesDropped + s.bytesDuplicate,
             s.bytesLoaded);
  laws.atMost("elastic MSHRs: bytes loaded <= bytes fired", s.bytesLoaded, s.bytesFired);
  laws.atMost("elastic MSHRs: bytes touched <= bytes kept", s.bytesTouched, s.bytesKept);
  laws.atMost("elastic MSHRs: bytes touched <= bytes asked", s.bytesTouched, s.bytesAsked);
}

void checkAtRest(const Statistics& s, u32 blockBytes, stats::Conservation& laws) {
  check(s, laws);
  laws.equal("elastic MSHRs: writes of combined stores = stores that opened one", s.combined.writes, s.combined.opened);
  laws.equal("elastic MSHRs: bytes fired = requests by size", s.bytesFired,
             (s.fired1 + 2 * s.fired2 + 4 * s.fired4 + 8 * s.fired8) * blockBytes);
  laws.equal("elastic MSHRs: bytes loaded = bytes fired", s.bytesLoaded, s.bytesFired);
  laws.equal("elastic MSHRs: bytes kept = blocks of primaries and reservations", s.bytesKept, (s.primaries + s.reservations) * blockBytes);
}

}  // namespace warpwright::mechanisms::elastic_mshr
