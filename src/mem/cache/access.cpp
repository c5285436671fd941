// What a cache does with one access: first everything it needs is checked, then it is done; a refused access leaves no trace.
#include <bit>

#include "mem/cache/cache.hpp"

namespace warpwright::mem {

template <class Clock>
auto Cache<Clock>::handlingInLines(config::WritePolicy policy) -> Handling {
  switch (policy) {
    case config::WritePolicy::writeBack:
      return Handling::store;
    case config::WritePolicy::writeBackLazy:
      return Handling::storeLazily;
    case config::WritePolicy::writeBackNoAllocate:
      return Handling::storeIfThere;
    case config::WritePolicy::writeThroughAllocate:
      return Handling::passAllocating;
    case config::WritePolicy::writeThroughEvict:
      return Handling::passEvicting;
    case config::WritePolicy::writeThrough:
      break;
  }
  return Handling::passUpdating;
}

template <class Clock>
auto Cache<Clock>::handlings(const config::Cache& config, Atomics atomics) -> std::array<Handling, kAccessTypes> {
  const auto handlingOf = [&](config::WritePolicy policy) {
    if (policy == config::WritePolicy::writeThroughEvict) return Handling::passEvicting;
    return config.bytes != 0 ? handlingInLines(policy) : Handling::passUpdating;
  };
  std::array<Handling, kAccessTypes> result;
  result.fill(Handling::load);
  const auto set = [&](AccessType type, Handling handling) { result[static_cast<std::size_t>(type)] = handling; };
  set(AccessType::globalWrite, handlingOf(config.globalWrites));
  set(AccessType::localWrite, handlingOf(config.localWrites));
  // What the cache above wrote back is what it kept as write-back: local data, as a rule.
  set(AccessType::writeBack, handlingOf(config.localWrites));
  set(AccessType::atomic, atomics == Atomics::here && config.bytes != 0 ? Handling::modify : Handling::passEvicting);
  return result;
}

template <class Clock>
bool Cache<Clock>::processInput(Tick now) {
  refusal_ = Refusal::none;
  busyBanks_ = 0;
  bool any = false;
  for (u32 port = 0; port < config_.ports && !input_.empty(); ++port) {
    const Arrival& arrival = input_.front();
    const AccessType type = arrival.request.type;
    refusal_ = process(locate(arrival.request, arrival.accepted), now);
    refusedType_ = type;
    if (refusal_ != Refusal::none) break;
    ++stats_.accesses[type];
    stats_.inputQueueTicks += now - arrival.accepted;
    input_.pop();
    any = true;
  }
  return any;
}

template <class Clock>
auto Cache<Clock>::bookHit(const Request& request, Tick now) -> std::optional<Tick> {
  if (!input_.empty() || flushing()) return {};
  const Access access = locate(request, now);
  if (access.handling != Handling::load || access.frame == kNone || (access.sectors & ~u32{tags_[access.frame].valid}) != 0) return {};
  const Tick processed = now + 1, ready = processed + config_.hitLatency;
  tags_.touch(access.frame, request, true);
  ++stats_.accesses[request.type];
  note(stats_.hits, request);
  noteMoved(&CacheStats::sectorsRead, &CacheUse::sectorsRead, request.origin, sectorCount(access.sectors));
  stats_.inputQueueTicks += processed - now;
  stats_.latency.add(ready - now);
  stats_.bytesFromAbove += request.wireBytes();
  noteDemand(access.frame, access.sectors, request.type);
  const Line& line = tags_[access.frame];
  const bool isEncoded = line.pieces != 0 && (line.present() & ~access.sectors) == 0;
  stats_.bytesToAbove += request.headerBytes + (isEncoded ? line.pieces * Request::kPieceBytes : request.dataBytes());
  return ready;
}

// What became of an access that was processed, for those who ask.
template <class Clock>
void Cache<Clock>::tell(bool isHit, const Request& request) {
  if (listener_) listener_->accessed(request, isHit);
  if (!origins_) return;
  CacheUse& use = origins_->of(request.origin);
  ++use.accesses;
  use.hits += isHit ? 1 : 0;
}

template <class Clock>
auto Cache<Clock>::locate(const Request& request, Tick accepted) const -> Access {
  const GlobalAddress lineAddress = tags_.lineAddress(request.address);
  const u32 shift = static_cast<u32>(request.address - lineAddress) / Request::kSectorBytes;
  const auto handling = handlings_[static_cast<std::size_t>(request.type)];
  return {request, accepted, handling, lineAddress, tags_.find(lineAddress), request.sectors << shift, request.wholeSectors << shift,
          shift};
}

template <class Clock>
Refusal Cache<Clock>::process(const Access& access, Tick now) {
  if (config_.banks > 1) {
    const u64 bank = u64{1} << tags_.lineNumber(access.lineAddress) % config_.banks;
    if ((busyBanks_ & bank) != 0) return Refusal::bankConflict;
    busyBanks_ |= bank;
  }
  if (goesBelow(access.handling)) return pass(access, now);
  const u32 valid = access.frame == kNone ? 0 : tags_[access.frame].valid;
  if ((access.sectors & ~valid) == 0) return hit(access, now);
  if (access.handling == Handling::storeIfThere) return pass(access, now);
  if (bypasses(access)) return access.handling == Handling::load ? forward(access, now) : pass(access, now);
  if (access.handling == Handling::storeLazily) return storeUnfetched(access, now);
  const u32 fetch = sectorsToFetch(access);
  if (fetch == 0 && (access.sectors & ~valid & pendingSectors(access)) == 0) return storeUnfetched(access, now);
  if (access.frame != kNone && tags_[access.frame].mshr != kNone) return missInEntry(access, fetch, now);
  return miss(access, fetch, now);
}

// Whether the replacement policy lets the access to an absent line go by. Atomics need their line here.
template <class Clock>
bool Cache<Clock>::bypasses(const Access& access) const {
  return mayBypass_ && access.frame == kNone && access.handling != Handling::modify && tags_.bypasses(access.lineAddress, access.request);
}

// Sectors that must be asked for below, whole groups of them and what is to come along: neither valid nor on their way, and not about to be
// overwritten in full.
template <class Clock>
u32 Cache<Clock>::sectorsToFetch(const Access& access) const {
  const u32 valid = access.frame == kNone ? 0 : tags_[access.frame].valid;
  const u32 known = valid | pendingSectors(access);
  const u32 needed = access.sectors & ~known & ~(access.handling == Handling::store ? access.whole : 0);
  u32 groups = needed != 0 && keepsLines_ ? u32{access.request.along} << access.shift : 0;
  const u32 group = static_cast<u32>(lowBits(sectorGroup_));
  for (u32 first = 0; needed >> first != 0; first += sectorGroup_) {
    if ((needed >> first & group) != 0) groups |= group << first;
  }
  return groups & ~known;
}

template <class Clock>
u32 Cache<Clock>::pendingSectors(const Access& access) const {
  if (access.frame == kNone || tags_[access.frame].mshr == kNone) return 0;
  return mshrs_[tags_[access.frame].mshr].pending;
}

template <class Clock>
Refusal Cache<Clock>::hit(const Access& access, Tick now) {
  if (!canRespond(access)) return Refusal::responseQueueFull;
  if (access.handling != Handling::load) {
    if (refusesPart(access.request, access.whole, tags_[access.frame])) {
      refusePart(access, now);
      return Refusal::none;
    }
    const Refusal refusal = makeRoom(access.lineAddress, access.frame, piecesAfterWrite(access), now);
    if (refusal != Refusal::none) return refusal;
  }
  tags_.touch(access.frame, access.request, true);
  noteDemand(access.frame, access.sectors, access.request.type);
  if (access.handling == Handling::load || access.handling == Handling::modify)
    noteMoved(&CacheStats::sectorsRead, &CacheUse::sectorsRead, access.request.origin, sectorCount(access.sectors));
  u32 late = 0;
  if (access.handling != Handling::load) {
    late = ticksToMakeWhole(access.request, access.whole, access.frame);
    markDirty(access.frame, access.sectors, access.request);
  }
  respond(access, now + late);
  note(stats_.hits, access.request);
  return Refusal::none;
}

// A write that needs nothing from below, at least not now.
template <class Clock>
Refusal Cache<Clock>::storeUnfetched(const Access& access, Tick now) {
  if (!canRespond(access)) return Refusal::responseQueueFull;
  const Refusal refusal = makeRoom(access.lineAddress, access.frame, piecesAfterWrite(access), now);
  if (refusal != Refusal::none) return refusal;
  u32 frame = access.frame;
  if (frame == kNone) {
    frame = tags_.room(access.lineAddress);
    if (frame == kNone) return Refusal::noLine;
    if (tags_[frame].dirty != 0 && misses_.full()) return Refusal::missQueueFull;
    allocateLine(frame, access, now);
  } else {
    tags_.touch(frame, access.request, false);
    noteDemand(frame, access.sectors, access.request.type);
  }
  markWritten(access, frame);
  markDirty(frame, access.sectors, access.request);
  respond(access, now);
  note(stats_.misses, access.request);
  return Refusal::none;
}

// A miss of a line of which nothing is on its way.
template <class Clock>
Refusal Cache<Clock>::miss(const Access& access, u32 fetch, Tick now) {
  if (mshrs_.full()) return Refusal::mshrsFull;
  const Refusal refusal = makeRoom(access.lineAddress, access.frame, piecesOfLine_, now);
  if (refusal != Refusal::none) return refusal;
  u32 frame = access.frame;
  if (frame == kNone) frame = tags_.room(access.lineAddress);
  if (frame == kNone) return Refusal::noLine;
  const bool writesBack = access.frame == kNone && tags_[frame].dirty != 0;
  if (misses_.space() < (writesBack ? 2u : 1u)) return Refusal::missQueueFull;
  if (access.frame == kNone) allocateLine(frame, access, now);
  tags_[frame].mshr = mshrs_.allocate(frame, now);
  stats_.mshrsUsed.observe(mshrs_.used());
  Access placed = access;
  placed.frame = frame;
  placed.isNew = access.frame == kNone;
  return missInEntry(placed, fetch, now);
}

// A read that leaves no line behind: it asks for what it touches, in an MSHR of its own that no other access joins.
template <class Clock>
Refusal Cache<Clock>::forward(const Access& access, Tick now) {
  if (mshrs_.full()) return Refusal::mshrsFull;
  if (misses_.full()) return Refusal::missQueueFull;
  tags_.bypassed(access.lineAddress, access.request);
  ++stats_.bypassed;
  const u32 entry = mshrs_.allocate(kNone, now);
  stats_.mshrsUsed.observe(mshrs_.used());
  sendFetch(access, entry, access.sectors, now);
  await(access, entry);
  note(stats_.misses, access.request);
  if (listener_) listener_->missed(access.request, true);
  return Refusal::none;
}

template <class Clock>
void Cache<Clock>::await(const Access& access, u32 entry) {
  Waiter<Clock>& waiter = mshrs_.hold(entry);
  waiter.request = access.request;
  waiter.request.isResponse = waiter.request.wasMissed = true;
  waiter.accepted = access.accepted;
  waiter.sectors = access.sectors;
  waiter.waitsFor = access.sectors & mshrs_[entry].pending;
  waiter.dirties = access.handling != Handling::load;
}

// Waits in the MSHR of the line and asks below for what has not been asked for.
template <class Clock>
Refusal Cache<Clock>::missInEntry(const Access& access, u32 fetch, Tick now) {
  const u32 entry = tags_[access.frame].mshr;
  const Request& request = access.request;
  if (!mshrs_.canHold(entry)) return Refusal::mergeLimit;
  if (fetch != 0 && misses_.full()) return Refusal::missQueueFull;
  noteDemand(access.frame, access.sectors, request.type);
  if (access.isNew) noteReturn(access);
  if (fetch != 0) sendFetch(access, entry, fetch, now);
  if (fetch != 0 && request.type == AccessType::prefetch) notePrefetch(access.frame, fetch);
  if (!access.isNew) tags_.touch(access.frame, request, false);
  await(access, entry);
  note(fetch != 0 ? stats_.misses : stats_.merges, request);
  if (listener_) listener_->missed(request, fetch != 0);
  return Refusal::none;
}

// A write or atomic that goes below as it is.
template <class Clock>
Refusal Cache<Clock>::pass(const Access& access, Tick now) {
  const bool neverAllocates =
      access.handling == Handling::passUpdating || access.handling == Handling::passEvicting || access.handling == Handling::storeIfThere;
  const bool bypasses = !neverAllocates && this->bypasses(access);
  const bool allocates = access.handling == Handling::passAllocating && !bypasses;
  if (allocates || (access.frame != kNone && access.handling != Handling::passEvicting)) {
    const Refusal refusal = makeRoom(access.lineAddress, access.frame, piecesAfterWrite(access), now);
    if (refusal != Refusal::none) return refusal;
  }
  const u32 frame = allocates && access.frame == kNone ? tags_.room(access.lineAddress) : access.frame;
  if (allocates && frame == kNone) return Refusal::noLine;
  const bool evicts = access.handling == Handling::passEvicting && frame != kNone;
  const bool writesBack = (evicts || frame != access.frame) && tags_[frame].dirty != 0;
  if (misses_.space() < (writesBack ? 2u : 1u)) return Refusal::missQueueFull;
  const u32 valid = access.frame == kNone ? 0 : tags_[frame].valid;
  note((access.sectors & ~valid) == 0 ? stats_.hits : stats_.misses, access.request);
  if (frame != access.frame) {
    allocateLine(frame, access, now);
  } else if (writesBack) {
    writeBack(frame, now);
  }
  if (access.frame != kNone) tags_.touch(frame, access.request, (access.sectors & ~valid) == 0);
  if (allocates) markWritten(access, frame);
  if (frame != kNone && !evicts) {
    noteMoved(&CacheStats::sectorsWritten, &CacheUse::sectorsWritten, access.request.origin,
              sectorCount(allocates ? access.sectors : access.sectors & valid));
  }
  if (frame != kNone) tags_[frame].encode(access.sectors, access.request.encoding, access.request.pieces);
  if (evicts && tags_[frame].mshr != kNone) {
    tags_[frame].dropWhenFilled = true;
  } else if (evicts) {
    ++stats_.evictions;
    dropLine(frame);
  }
  if (bypasses) {
    ++stats_.bypassed;
    tags_.bypassed(access.lineAddress, access.request);
  }
  ++stats_.passed;
  misses_.push(access.request, now + config_.missLatency);
  return Refusal::none;
}

// Where lines share room: others leave until the line has as much as it takes from now on. What has left when the access is refused stays
// away.
template <class Clock>
Refusal Cache<Clock>::makeRoom(GlobalAddress lineAddress, u32 frame, u32 pieces, Tick now) {
  if (!sharesRoom_) return Refusal::none;
  while (const std::optional<u32> other = tags_.inTheWay(lineAddress, frame, pieces)) {
    if (*other == kNone) return Refusal::noLine;
    if (tags_[*other].dirty != 0 && misses_.full()) return Refusal::missQueueFull;
    if (listener_) listener_->evicted(tags_[*other].address, tags_[*other].origin);
    evict(*other, now);
  }
  return Refusal::none;
}

template <class Clock>
bool Cache<Clock>::refusesPart(const Request& write, u32 wholeSectors, const Line& line) const {
  return !takesParts_ && line.encoding != 0 && write.type == AccessType::globalWrite && write.wantsResponse && !write.mustMerge &&
         (line.present() & ~wholeSectors) != 0;
}

template <class Clock>
u32 Cache<Clock>::ticksToMakeWhole(const Request& writer, u32 wholeSectors, u32 frame) {
  const Line& line = tags_[frame];
  const bool isReplaced = isWrite(writer.type) && (line.present() & ~wholeSectors) == 0;
  return line.encoding == 0 || isReplaced ? 0 : tags_.makeWhole();
}

// Of an access that was processed at `now`.
template <class Clock>
void Cache<Clock>::queueHit(const Request& response, Tick accepted, Tick now) {
  lastHit_ = std::max(lastHit_, now + config_.hitLatency);
  stats_.latency.add(lastHit_ - accepted);
  hits_.push(response, lastHit_);
}

template <class Clock>
void Cache<Clock>::refusePart(const Access& access, Tick now) {
  tags_.touch(access.frame, access.request, true);
  Request response = access.request;
  response.isResponse = true;
  response.encoding = tags_[access.frame].encoding;
  queueHit(response, access.accepted, now);
  note(stats_.hits, access.request);
}

// What Line::encode() will make of the line.
template <class Clock>
u32 Cache<Clock>::piecesAfterWrite(const Access& access) const {
  const u32 present = access.frame == kNone ? 0 : tags_[access.frame].present();
  const bool isAll = isWrite(access.request.type) && (present & ~access.sectors) == 0;
  return isAll && access.request.pieces != 0 ? access.request.pieces : piecesOfLine_;
}

// Puts an empty line at the frame, whose old line goes.
template <class Clock>
void Cache<Clock>::allocateLine(u32 frame, const Access& access, Tick now) {
  if (!tags_.isEmpty(frame)) {
    ++stats_.evictions;
    if (listener_) listener_->evicted(tags_[frame].address, tags_[frame].origin);
  }
  if (tags_[frame].dirty != 0) writeBack(frame, now);
  noteLeaving(frame, access.request.type);
  tags_.install(frame, access.lineAddress, access.request, now.ticks);
}

template <class Clock>
void Cache<Clock>::evict(u32 frame, Tick now) {
  ++stats_.evictions;
  if (tags_[frame].dirty != 0) writeBack(frame, now);
  dropLine(frame);
  wake_ = {};
}

template <class Clock>
void Cache<Clock>::demanded(u32 frame, u32 sectors) {
  Line& line = tags_[frame];
  const bool isThere = (line.prefetched & sectors & line.valid) != 0;
  ++(isThere ? stats_.prefetched.used : stats_.prefetched.late);
  line.prefetched = 0;
}

// A prefetch that takes an empty frame displaces nothing; one that takes the frame of another's unused line has made that early.
template <class Clock>
void Cache<Clock>::leaves(u32 frame) {
  if (tags_.isEmpty(frame)) return;
  const bool isUnused = tags_[frame].prefetched != 0;
  stats_.prefetched.unused += isUnused;
  if (!departed_) departed_.emplace(tags_.frames());
  departed_->note(tags_.lineNumber(tags_[frame].address), isUnused ? Departure::unused : Departure::displaced);
  tags_[frame].prefetched = 0;
}

template <class Clock>
void Cache<Clock>::notePrefetch(u32 frame, u32 sectors) {
  stats_.prefetched.lines += tags_[frame].prefetched == 0;
  tags_[frame].prefetched |= static_cast<u8>(sectors);
}

// Of an access for which a line has just been given its frame.
template <class Clock>
void Cache<Clock>::noteReturn(const Access& access) {
  if (!departed_) return;
  const Departure why = departed_->take(tags_.lineNumber(access.lineAddress));
  if (!isDemand(access.request.type)) return;
  stats_.prefetched.early += why == Departure::unused;
  stats_.prefetched.displaced += why == Departure::displaced;
}

template <class Clock>
void Cache<Clock>::markDirty(u32 frame, u32 sectors, const Request& writer) {
  Line& line = tags_[frame];
  noteMoved(&CacheStats::sectorsWritten, &CacheUse::sectorsWritten, writer.origin, sectorCount(sectors));
  stats_.sectorsDirtied += static_cast<u64>(std::popcount(sectors & ~u32{line.dirty}));
  line.dirty |= static_cast<u8>(sectors);
  const bool isWritten = isWrite(writer.type);  // an atomic leaves the values of its words as they are
  line.encode(sectors, isWritten ? writer.encoding : u8{0}, isWritten ? writer.pieces : u8{0});
  line.origin = writer.origin;
  line.memoryPort = writer.memoryPort;
  line.headerBytes = writer.headerBytes;
}

// A sector is valid once all of its bytes have been written.
template <class Clock>
void Cache<Clock>::markWritten(const Access& access, u32 frame) {
  Line& line = tags_[frame];
  line.valid |= static_cast<u8>(access.whole);
  const u32 parts = access.sectors & ~u32{line.valid};
  if (parts != 0) line.valid |= static_cast<u8>(tags_.addWritten(frame, parts, access.request.written, access.shift));
}

template <class Clock>
void Cache<Clock>::sendFetch(const Access& access, u32 entry, u32 sectors, Tick now) {
  const Request& request = access.request;
  Request fetch = request;
  fetch.address = access.lineAddress;
  fetch.lineBytes = config_.lineBytes;
  fetch.sectors = sectors;
  fetch.crosses = false;
  fetch.wholeSectors = 0;
  fetch.written = {};
  fetch.along = 0;
  fetch.encoding = fetch.pieces = 0;  // what comes tells how it comes
  fetch.operations = fetch.repeats = 0;
  if (request.type == AccessType::localWrite) fetch.type = AccessType::localRead;
  if (!isFetched(request) && request.type != AccessType::localWrite) fetch.type = AccessType::globalRead;
  fetch.wantsResponse = true;
  fetch.id = entry;
  mshrs_.expect(entry, sectors);
  ++stats_.fetches;
  if (mshrs_[entry].frame != kNone) stats_.sectorsFetched += sectorCount(sectors);
  misses_.push(fetch, now + config_.missLatency);
}

template <class Clock>
void Cache<Clock>::writeBack(u32 frame, Tick now) {
  Line& line = tags_[frame];
  Request request;
  request.address = line.address;
  request.lineBytes = config_.lineBytes;
  request.sectors = line.dirty;
  request.wholeSectors = line.dirty & line.valid;
  request.written = tags_.written(frame, line.dirty & ~u32{line.valid});
  request.encoding = line.encoding;
  request.pieces = line.pieces;
  request.type = AccessType::writeBack;
  request.wantsResponse = false;
  request.origin = line.origin;
  request.memoryPort = line.memoryPort;
  request.headerBytes = line.headerBytes;
  ++stats_.writeBacks;
  noteMoved(&CacheStats::sectorsWrittenBack, &CacheUse::sectorsRead, line.origin, static_cast<u64>(std::popcount(line.dirty)));
  line.dirty = 0;
  misses_.push(request, now + config_.missLatency);
}

template <class Clock>
void Cache<Clock>::answer(Request& response, u32 sectors, const Line& line) {
  response.isResponse = true;
  const bool isRead = response.type != AccessType::atomic && !isWrite(response.type);
  const bool isAll = isRead && (line.present() & ~sectors) == 0;
  response.encoding = isRead ? line.encoding : u8{0};
  response.pieces = isAll ? line.pieces : u8{0};
}

template <class Clock>
void Cache<Clock>::respond(const Access& access, Tick now) {
  if (!access.request.wantsResponse) return;
  Request response = access.request;
  if (access.frame != kNone) {
    answer(response, access.sectors, tags_[access.frame]);
  } else {
    response.isResponse = true;  // of a write that made its line
  }
  queueHit(response, access.accepted, now);
}

// The class itself is instantiated in cache.cpp, with the members that it sees: a program may do so once. These are the others.
#define WARPWRIGHT_INSTANTIATE_ACCESS(Clock)                                                                \
  template auto Cache<Clock>::handlingInLines(config::WritePolicy)->Handling;                               \
  template auto Cache<Clock>::handlings(const config::Cache&, Atomics)->std::array<Handling, kAccessTypes>; \
  template bool Cache<Clock>::processInput(Time<Clock>);                                                    \
  template auto Cache<Clock>::bookHit(const Request&, Tick)->std::optional<Tick>;                           \
  template void Cache<Clock>::tell(bool, const Request&);                                                   \
  template auto Cache<Clock>::locate(const Request&, Time<Clock>) const->Access;                            \
  template Refusal Cache<Clock>::process(const Access&, Time<Clock>);                                       \
  template bool Cache<Clock>::bypasses(const Access&) const;                                                \
  template u32 Cache<Clock>::sectorsToFetch(const Access&) const;                                           \
  template u32 Cache<Clock>::pendingSectors(const Access&) const;                                           \
  template Refusal Cache<Clock>::hit(const Access&, Time<Clock>);                                           \
  template Refusal Cache<Clock>::storeUnfetched(const Access&, Time<Clock>);                                \
  template Refusal Cache<Clock>::miss(const Access&, u32, Time<Clock>);                                     \
  template Refusal Cache<Clock>::forward(const Access&, Time<Clock>);                                       \
  template void Cache<Clock>::await(const Access&, u32);                                                    \
  template Refusal Cache<Clock>::missInEntry(const Access&, u32, Time<Clock>);                              \
  template Refusal Cache<Clock>::pass(const Access&, Time<Clock>);                                          \
  template Refusal Cache<Clock>::makeRoom(GlobalAddress, u32, u32, Time<Clock>);                            \
  template u32 Cache<Clock>::piecesAfterWrite(const Access&) const;                                         \
  template bool Cache<Clock>::refusesPart(const Request&, u32, const Line&) const;                          \
  template void Cache<Clock>::refusePart(const Access&, Time<Clock>);                                       \
  template u32 Cache<Clock>::ticksToMakeWhole(const Request&, u32, u32);                                    \
  template void Cache<Clock>::queueHit(const Request&, Time<Clock>, Time<Clock>);                           \
  template void Cache<Clock>::allocateLine(u32, const Access&, Time<Clock>);                                \
  template void Cache<Clock>::evict(u32, Time<Clock>);                                                      \
  template void Cache<Clock>::demanded(u32, u32);                                                           \
  template void Cache<Clock>::leaves(u32);                                                                  \
  template void Cache<Clock>::notePrefetch(u32, u32);                                                       \
  template void Cache<Clock>::noteReturn(const Access&);                                                    \
  template void Cache<Clock>::markDirty(u32, u32, const Request&);                                          \
  template void Cache<Clock>::markWritten(const Access&, u32);                                              \
  template void Cache<Clock>::sendFetch(const Access&, u32, u32, Time<Clock>);                              \
  template void Cache<Clock>::writeBack(u32, Time<Clock>);                                                  \
  template void Cache<Clock>::answer(Request&, u32, const Line&);                                           \
  template void Cache<Clock>::respond(const Access&, Time<Clock>)

WARPWRIGHT_INSTANTIATE_ACCESS(CoreClock);
WARPWRIGHT_INSTANTIATE_ACCESS(L2Clock);

#undef WARPWRIGHT_INSTANTIATE_ACCESS

}  // namespace warpwright::mem
