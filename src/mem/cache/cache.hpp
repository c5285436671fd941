// A cache of any level as a memory agent.
//
// Lines are allocated on the miss, as in Fermi: a fill then always has its frame, so it never waits and cannot deadlock; the price, that a
// line is out of use while it is fetched, shows as the refusal "no line". A write that covers its sectors whole is put into a write-back
// cache without a fetch; other sectors are fetched first, or, by a lazy policy, noted with the bytes that were written and fetched when
// they are read. Order in a tick: accept() and fill(), then tick(), then peek…() and take…(); what is ready at t is visible after tick(t).
#pragma once

#include <algorithm>
#include <array>
#include <optional>

#include "base/ring_queue.hpp"
#include "base/time.hpp"
#include "base/touched_line.hpp"
#include "config/cache.hpp"
#include "mem/cache/departed_lines.hpp"
#include "mem/cache/listener.hpp"
#include "mem/cache/mshrs.hpp"
#include "mem/cache/statistics.hpp"
#include "mem/cache/tags.hpp"
#include "mem/delay_queue.hpp"
#include "mem/request.hpp"
#include "mem/traffic.hpp"

namespace warpwright::mem {

// Where atomics are performed. Below: the cache hands them on and drops its copy of the line. Here: the line is fetched and becomes dirty,
// and the response says that it is there.
enum class Atomics : u8 { below, here };

// Clock is CoreClock or L2Clock.
// Whether all sectors that a read wants are in a cache, or on their way to it, or neither.
enum class Beside : u8 { isHere, isFetched, isAbsent };

template <class Clock>
class Cache {
 public:
  using Tick = Time<Clock>;

  // The configuration is valid (config/rules.hpp). A cache of 0 bytes keeps nothing: its MSHRs merge reads that are under way together.
  Cache(const config::Cache& config, Atomics atomics, Interleave share = {});

  // Upper side. A request's bytes lie within one line of the cache.
  bool canAccept(const Request&) const { return !input_.full(); }
  void accept(const Request& request, Tick now);
  // For who asks for no more a tick than there are ports, and takes responses at once: when no access waits and this one is sure to hit in
  // the next tick, it is done with, and this is the tick in which its response would be ready. Nothing: it has to be accepted.
  std::optional<Tick> bookHit(const Request& request, Tick now);
  const Request* peekResponse() const;
  Request takeResponse();

  // Lower side. Fetches have an id of the cache's own; writes and atomics that pass it keep theirs, as do their responses on the way back.
  const Request* peekMiss() const { return misses_.peek(); }
  Request takeMiss();
  bool canFill(const Request& response) const { return isFetched(response) ? !filling_ : acknowledgements_.space() != 0; }
  void fill(const Request& response, Tick now);

  bool tick(Tick now);
  Tick nextUseful(Tick now) const { return std::max(wake_, now + 1); }
  // Nothing is queued, waited for or being flushed.
  bool quiescent() const;

  // Drops every clean line, those on their way as soon as their accesses are answered. Dirty lines stay: flush() first.
  void invalidate();
  // Drops lines as invalidate() does; from now on they come into the first so many ways of their set alone. Where something else places
  // them, it does not hear of it.
  void limitWays(u32 ways) {
    invalidate();
    tags_.limitWays(ways);
  }
  // For what stands beside the cache. Sectors: of the line of the address.
  // Whether some sector of the line is here, or an access to it waits or is under way.
  bool holds(GlobalAddress address) const;
  // Drops sectors of a line without writing them back; a line on its way is dropped when its accesses are answered. Gives those that were
  // dirty.
  u32 drop(GlobalAddress address, u32 sectors);

  // For what shares the array of the cache's lines. Before the first access: lines lie where `placement` says, which outlives the accesses.
  void placeBy(LinePlacement& placement) {
    tags_.placeBy(placement);
    mayBypass_ = keepsLines_ && tags_.mayBypass();
    sharesRoom_ = tags_.sharesRoom();
    takesParts_ = tags_.takesParts();
  }
  // Sectors of a line have come to the cache without having been asked for, and are clean; the line that lies in the way leaves without a
  // trace. False: the line is being fetched, or there is no frame.
  bool place(GlobalAddress address, u32 sectors, Tick now);
  // For who reads beside the cache. What it finds there, which counts as an access for the replacement; and it keeps what was read below,
  // if a place for the line is free or can be made.
  Beside readBeside(const Request& request);
  void keep(const Request& response, Tick now);
  // The same as place() of a line that an access which takes no time has touched: what it has stored is dirty, as far as the cache keeps
  // writes.
  bool touch(const TouchedLine& touched, Tick now);
  bool isFetching(u32 frame) const { return tags_[frame].mshr != kNone; }
  // A line that is not being fetched leaves, if the cache can write it back.
  bool canEvict() const { return !misses_.full(); }
  void evict(u32 frame, Tick now);
  // The placement may have room where there was none.
  void retry() { wake_ = {}; }

  // Begins to write dirty lines back, one a tick; they stay as clean lines. Accesses go on meanwhile.
  void flush();
  bool flushing() const { return flushCursor_ != kNone; }

  // Counted up to, not including, tick `until`.
  const CacheStats& statistics(Tick until);
  // The same, as of the last call of statistics() or tick().
  const CacheStats& statistics() const { return stats_; }

  // Null: nobody hears. Called in the cache's ticks.
  void follow(CacheListener* listener) {
    listener_ = listener;
    isHeard_ = listener_ || origins_;
  }
  // From now on accesses are counted by who asked, too.
  void countByOrigin() {
    origins_.emplace();
    isHeard_ = true;
  }
  // Null when they are not.
  OriginTable<CacheUse>* origins() { return origins_ ? &*origins_ : nullptr; }

 private:
  // What is done with an access type.
  enum class Handling : u8 { load, store, storeLazily, storeIfThere, modify, passUpdating, passEvicting, passAllocating };

  struct Arrival {
    Request request;
    Tick accepted{};
  };
  // An access and where it meets the cache.
  struct Access {
    const Request& request;
    Tick accepted;
    Handling handling;
    GlobalAddress lineAddress;
    u32 frame;           // kNone when the line is absent
    u32 sectors;         // touched, in the cache's line
    u32 whole;           // written in full
    u32 shift;           // of the request's sectors within the line
    bool isNew = false;  // the line has just been given its frame for it
  };

  static bool isFetched(const Request& response) { return !isWrite(response.type) && response.type != AccessType::atomic; }
  static Handling handlingInLines(config::WritePolicy policy);
  static bool isKept(Handling handling) {
    return handling == Handling::store || handling == Handling::storeLazily || handling == Handling::storeIfThere;
  }
  static bool goesBelow(Handling handling) {
    return handling == Handling::passUpdating || handling == Handling::passEvicting || handling == Handling::passAllocating;
  }
  static std::array<Handling, kAccessTypes> handlings(const config::Cache& config, Atomics atomics);

  // A refusal lasts from the tick that found it to the tick before the next one that is made.
  void settle(Tick until) {
    if (refusal_ != Refusal::none) stats_.refusals.add(refusal_, refusedType_, until - settled_);
    settled_ = until;
  }
  Tick partsUseful(Tick now) const;
  u32 frameForPlaced(GlobalAddress lineAddress, Tick now);
  void finishFill(Tick now);
  void finishForwarded(u32 entry, Tick now);
  void answerServed(u32 entry, Tick now);
  bool processInput(Tick now);
  bool flushOne(Tick now);

  Access locate(const Request& request, Tick accepted) const;
  Refusal process(const Access& access, Tick now);
  Refusal hit(const Access& access, Tick now);
  Refusal storeUnfetched(const Access& access, Tick now);
  Refusal miss(const Access& access, u32 fetch, Tick now);
  bool bypasses(const Access& access) const;
  Refusal forward(const Access& access, Tick now);
  Refusal missInEntry(const Access& access, u32 fetch, Tick now);
  Refusal pass(const Access& access, Tick now);

  u32 sectorsToFetch(const Access& access) const;
  u32 pendingSectors(const Access& access) const;
  bool canRespond(const Access& access) const { return !access.request.wantsResponse || !hits_.full(); }
  Refusal makeRoom(GlobalAddress lineAddress, u32 frame, u32 pieces, Tick now);
  u32 piecesAfterWrite(const Access& access) const;
  bool refusesPart(const Request& write, u32 wholeSectors, const Line& line) const;
  void refusePart(const Access& access, Tick now);
  u32 ticksToMakeWhole(const Request& writer, u32 wholeSectors, u32 frame);
  void queueHit(const Request& response, Tick accepted, Tick now);
  void allocateLine(u32 frame, const Access& access, Tick now);
  void markDirty(u32 frame, u32 sectors, const Request& writer);
  void markWritten(const Access& access, u32 frame);
  void await(const Access& access, u32 entry);
  void sendFetch(const Access& access, u32 entry, u32 sectors, Tick now);
  void writeBack(u32 frame, Tick now);
  void respond(const Access& access, Tick now);
  // outcome: hits, misses or merges.
  void note(PerType& outcome, const Request& request) {
    ++outcome[request.type];
    if (isHeard_) tell(&outcome == &stats_.hits, request);
  }
  void tell(bool isHit, const Request& request);
  static bool isDemand(AccessType type) { return type != AccessType::prefetch && type != AccessType::writeBack; }
  // What becomes of prefetches (PrefetchStats). A demand for sectors of a line; the line leaves its frame, for an access or for none.
  void noteDemand(u32 frame, u32 sectors, AccessType type) {
    if ((tags_[frame].prefetched & sectors) != 0 && isDemand(type)) demanded(frame, sectors);
  }
  void noteLeaving(u32 frame, AccessType whose) {
    if (tags_[frame].prefetched != 0 || whose == AccessType::prefetch) leaves(frame);
  }
  void demanded(u32 frame, u32 sectors);
  void leaves(u32 frame);
  void notePrefetch(u32 frame, u32 sectors);
  void noteReturn(const Access& access);
  void dropLine(u32 frame) {
    noteLeaving(frame, AccessType::globalRead);
    tags_.drop(frame);
  }
  // What moves for the sake of who asked, counted of the cache and, for those who ask, of the origin.
  void noteMoved(u64 CacheStats::*ofCache, u64 CacheUse::*ofOrigin, const Origin& origin, u64 sectors) {
    stats_.*ofCache += sectors;
    if (origins_) origins_->of(origin).*ofOrigin += sectors;
  }
  void noteAnswered(u32 entry, Tick now) {
    stats_.fetchLatency.add(now + 1 - mshrs_[entry].since);
    if (origins_) ++origins_->of(fill_.origin).mshrs;
  }
  // The response to an access to sectors of the line: it says how the line is kept, and with all that is there of it, carries it as that.
  static void answer(Request& response, u32 sectors, const Line& line);

  config::Cache config_;
  std::array<Handling, kAccessTypes> handlings_;
  bool keepsLines_, mayBypass_, sharesRoom_ = false, takesParts_ = true;
  u32 sectorGroup_;   // 32-byte sectors that are fetched together
  u32 piecesOfLine_;  // of kPieceBytes, as it is
  Tags tags_;
  Mshrs<Clock> mshrs_;
  RingQueue<Arrival> input_;
  DelayQueue<Request, Clock> misses_, hits_, acknowledgements_;
  DelayQueue<u32, Clock> served_;  // waiters of MSHRs
  Request fill_;                   // being written, while filling_
  bool filling_ = false;
  Tick fillDone_{};                // in which it is complete
  Tick lastHit_{}, lastServed_{};  // when the answers that were queued last are ready: they stay in order
  u64 busyBanks_ = 0;
  Tick wake_ = kNeverOf<Clock>;  // ticks before it change nothing
  u32 flushCursor_ = kNone;      // next frame to look at
  Refusal refusal_ = Refusal::none;
  AccessType refusedType_{};
  Tick settled_{};  // refusals are counted up to this tick
  CacheStats stats_;
  std::optional<DepartedLines> departed_;         // nothing: no prefetch has taken a frame yet
  std::optional<OriginTable<CacheUse>> origins_;  // nothing: nobody asks
  CacheListener* listener_ = nullptr;
  bool isHeard_ = false;
};

extern template class Cache<CoreClock>;
extern template class Cache<L2Clock>;

}  // namespace warpwright::mem
