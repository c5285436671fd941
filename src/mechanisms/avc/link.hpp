// The affine vector cache in the path of an SM's data accesses (figure 3 of the paper): beside the first-level cache, in the same cycle's
// look-up, and in front of it in this model, as it decides who serves an access.
#pragma once

#include <unordered_map>
#include <vector>

#include "base/ring_queue.hpp"
#include "mechanisms/avc/affine_vector_cache.hpp"
#include "mechanisms/avc/compact_below.hpp"
#include "mechanisms/avc/joint_tags.hpp"
#include "mechanisms/avc/settings.hpp"
#include "mem/delay_queue.hpp"
#include "sm/access/stage.hpp"

namespace warpwright::mechanisms::avc {

class Link final : public sm::LineStage {
 public:
  // levelOne: the configuration of the cache. Latency, ports and numbers of outstanding accesses are as there.
  Link(const Settings& settings, const config::Cache& levelOne, const sm::StageContext& context);

  bool takes(const sm::LineAccess& access) const override;
  bool canAccept(const sm::LineAccess&) const override { return !input_.full(); }
  void accept(const sm::LineAccess& access, Cycle now) override;
  const mem::Request* peekResponse() const override { return filled_.peek() ? filled_.peek() : hits_.peek(); }
  mem::Request takeResponse() override { return filled_.peek() ? filled_.take() : hits_.take(); }

  const mem::Request* peekMiss() const override { return requests_.peek(); }
  mem::Request takeMiss() override;
  bool canFill(const mem::Request&) const override { return canEvict(); }
  void fill(const mem::Request& response, Cycle now) override;

  bool tick(Cycle now) override;
  Cycle nextUseful(Cycle now) const override;
  bool quiescent() const override;
  void invalidate() override;

  LinkStats stats() const;

 private:
  struct Access {
    mem::Request request;
    const mem::WordAccess* words = nullptr;
    WordMask mask = 0;  // words still to be served
    Cycle ready{};      // cycle of its look-up
    bool isReplay = false;
    sm::LineAccess line() const { return {request, sm::Route::l1Data, words}; }
  };
  // A vector on its way from memory to this cache, or a sector of encoded ones.
  struct Fetch {
    bool used = false;
    mem::Request request;  // of the access that is answered; of encoded vectors: as sent
    WordMask mask = 0;     // less what has been written since
    VectorEncoding data;
    u32 places = 0;  // of encoded vectors: those of the line that come here
    std::vector<Access> waiting;
  };
  // Of a line of encoded vectors that is written: places that change, and all that are known.
  struct PlaceWrite {
    GlobalAddress line;
    u32 changed = 0, known = 0;
    u64 decodedBytes = 0;
    mem::Origin origin;  // of the last vector that changed
  };

  // Who wrote last to a vector that leaves.
  mem::Origin takeWriter(GlobalAddress address);
  // Writes every word of the vector.
  static bool supersedes(const Access& access) {
    return mem::isWrite(access.request.type) && access.words->whole && access.mask == ~WordMask{0};
  }
  bool hasRoomForEvictions() const { return requests_.space() > mostEvictions_; }
  bool canEvict() const { return hasRoomForEvictions() && (!joint_ || cache_.canEvict()); }
  std::unique_ptr<JointTags> joinTags(const config::Cache& levelOne);
  void release(u64 line, Cycle now);
  VectorEncoding encode(const Access& access);
  bool process(Access& access, Cycle now);
  bool write(const Access& access, Cycle now);
  bool writeGlobal(const Access& access, Cycle now);
  bool read(Access& access, Cycle now);
  bool miss(const Access& access, Cycle now);
  bool needsPlace(const Access& access);
  bool awaitPlace(const Access& access, Cycle now);
  Fetch* fetchPlaces(const mem::Request& cause, Cycle now);
  Fetch* startFetch(const mem::Request& request, Cycle now);
  Fetch* fetchOf(GlobalAddress address, u32 sectors = ~u32{0});
  void fillVector(const Fetch& fetch, Cycle now);
  void fillPlaces(const Fetch& fetch);
  bool answer(const Access& access, Cycle now);
  void forgetFetched(GlobalAddress address, WordMask written);
  bool handOver(const Access& access, u64& count, Cycle now);
  void check(const Access& access, WordMask mask, const VectorForm& form);
  void noteFetched(const mem::Request& request);
  bool isOfOthers(const mem::Request& request) const;
  void dropSuperseded(GlobalAddress address);
  void writeBackEvicted(Cycle now);
  bool staysEncoded(const EvictedVector& vector);
  void writeDecoded(const EvictedVector& vector, Cycle now);
  void notePlace(const EvictedVector& vector, Cycle now);
  void writePlaces(Cycle now);
  // Of a line of encoded vectors, the sector with the place.
  u32 sectorOf(u32 place) const { return 1u << place * settings_.geometry.placeBytes() / mem::Request::kSectorBytes; }

  Settings settings_;
  u32 ports_, hitLatency_, missLatency_, merges_, mostEvictions_;
  sm::L1Cache& cache_;
  sm::StagesBelow& below_;            // it, or stages before it
  std::unique_ptr<JointTags> joint_;  // null: this cache has an array of its own
  AffineVectorCache avc_;
  CompactBelow compact_;
  VectorEncoder encoder_;
  RingQueue<Access> input_, replays_;  // replays_: waited for a fetch
  std::vector<Fetch> fetches_;
  u32 fetching_ = 0;  // of them, in use
  mem::DelayQueue<mem::Request, CoreClock> hits_, filled_, requests_;
  Evictions evicted_;
  PlaceWrite placeWrite_;
  std::unordered_map<GlobalAddress, mem::Origin> writers_;  // by vector: who wrote to it last, or who fetched it
  LinkStats stats_;
};

}  // namespace warpwright::mechanisms::avc
